import { randomInt } from 'node:crypto';
import type { Knex } from 'knex';
import { type DriverConnection, discardConnection, onceClosed } from '../driver.js';

const CHECK_EVERY_MS = 1_000;

type MoveListener = (move: { from: string; to: string }) => void;

/**
 * The hosts of a database URL, and which of them this process uses. All pools of the process use the same host, because transactions of
 * one process on two nodes of a cluster would conflict with each other. The first one is random, so that processes with the same URL
 * spread over the hosts.
 *
 * The host is checked every second and after a failed connection. If it fails twice in a row, another host that is usable takes its place,
 * and all connections to the old one are closed: a host that is cut off never responds to what waits there. If no host is usable, the
 * process stays where it is.
 */
export class DatabaseHosts {
  readonly #urls: readonly string[];
  readonly #open: (url: string) => Knex;
  readonly #connections = new Set<DriverConnection>();
  readonly #listeners = new Set<MoveListener>();
  /** By URL, for checks only. */
  readonly #checkers = new Map<string, Knex>();
  #index: number;
  #users = 0;
  #timer: NodeJS.Timeout | null = null;
  #checking: Promise<void> | null = null;

  /** @param open connects to one host, with short limits, for its checks */
  constructor(urls: readonly string[], open: (url: string) => Knex) {
    this.#urls = urls;
    this.#open = open;
    this.#index = randomInt(urls.length);
  }

  /** The URL of the host in use. */
  get current(): string {
    return this.#urlAt(this.#index);
  }

  /** Starts the checks. They end when every user has called the function that this returns. */
  use(): () => void {
    this.#users += 1;
    this.#timer ??= setInterval(() => void this.check(), CHECK_EVERY_MS).unref();
    let isUsed = true;
    return () => {
      if (isUsed) this.#users -= 1;
      isUsed = false;
      if (this.#users > 0) return;
      clearInterval(this.#timer ?? undefined);
      this.#timer = null;
      void this.#closeCheckers();
    };
  }

  /** Closes the connection when the process moves to another host. Closes it at once, and returns false, if that has happened. */
  hold(url: string, connection: DriverConnection): boolean {
    if (url !== this.current) {
      discardConnection(connection, MOVED);
      return false;
    }
    this.#connections.add(connection);
    onceClosed(connection, () => this.#connections.delete(connection));
    return true;
  }

  /** Calls the function whenever the process has moved to another host. */
  onMove(listener: MoveListener): void {
    this.#listeners.add(listener);
  }

  /** Moves to another host if this one is not usable. Concurrent callers share one check. */
  check(): Promise<void> {
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
      // A check that was under way when the last user left may have connected again.
      if (this.#users === 0) void this.#closeCheckers();
    });
    return this.#checking;
  }

  async #check(): Promise<void> {
    // Twice: one slow response, perhaps because this process is busy, must not break off all statements.
    if ((await this.#isUsable(this.current)) || (await this.#isUsable(this.current))) return;
    const others = this.#urls.length - 1;
    // From a random one, so that the processes of a lost host spread over the rest.
    const first = randomInt(others);
    for (let tried = 0; tried < others && this.#users > 0; tried++) {
      const index = (this.#index + 1 + ((first + tried) % others)) % this.#urls.length;
      if (await this.#isUsable(this.#urlAt(index))) return this.#moveTo(index);
    }
  }

  #urlAt(index: number): string {
    const url = this.#urls[index];
    if (url === undefined) throw new RangeError(`the database has no host ${index}`);
    return url;
  }

  #moveTo(index: number): void {
    const from = this.current;
    this.#index = index;
    for (const connection of this.#connections) discardConnection(connection, MOVED);
    this.#connections.clear();
    for (const listener of this.#listeners)
      listener({ from: new URL(from).host, to: new URL(this.current).host });
    void this.#closeCheckers();
  }

  async #isUsable(url: string): Promise<boolean> {
    const checker = this.#checkers.get(url) ?? this.#open(url);
    this.#checkers.set(url, checker);
    return isUsable(checker).catch(() => false);
  }

  async #closeCheckers(): Promise<void> {
    const checkers = [...this.#checkers.values()];
    this.#checkers.clear();
    await Promise.allSettled(checkers.map((checker) => checker.destroy()));
  }
}

const MOVED = 'another host of the database is used';

/** The error of a server that does not have a variable. */
const UNKNOWN_VARIABLE = 1193;
/** The values of read_only for a server that accepts writes. Since MariaDB 12, it is one of several names. */
const WRITABLE = new Set(['0', 'OFF']);

/**
 * Returns whether a host accepts writes. A Galera node without a majority accepts connections but no statements, and a node that an
 * operator takes out of service, or a secondary, is read-only.
 */
export async function isUsable(database: Knex): Promise<boolean> {
  // A node that is a second behind the others is usable, so the checks do not wait for them. Servers without Galera do not know the variable.
  await database.raw('SET SESSION wsrep_sync_wait = 0').catch((error) => {
    if (error.errno !== UNKNOWN_VARIABLE) throw error;
  });
  const [[{ readOnly }]] = await database.raw('SELECT @@GLOBAL.read_only AS readOnly');
  const [[galera]] = await database.raw("SHOW GLOBAL VARIABLES LIKE 'wsrep_on'");
  const [[ready]] = await database.raw("SHOW GLOBAL STATUS LIKE 'wsrep_ready'");
  return WRITABLE.has(String(readOnly)) && (galera?.Value !== 'ON' || ready?.Value === 'ON');
}
