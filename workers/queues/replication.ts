import type { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { RedisConnection } from './connection.js';
import { ownerOf } from './owner.js';

/** How long a write waits for the replicas. Two batches in a row still fit into the time of a request. */
const WITHIN_MS = 500;

/** Too few replicas have a write, or it is not known how many. The write itself may have been executed. */
export class NotReplicated extends Error {
  override name = 'NotReplicated';
}

interface Options {
  /** How many replicas must have a write; 0 to wait for none. */
  replicas: number;
  log: Pick<Logger, 'warn' | 'info'>;
}

/**
 * Confirms writes only when replicas have them, so that a failover to one of these replicas keeps them. While it waits,
 * Redis executes no other command of the connection: give it a connection that only writes.
 */
export class Replication {
  readonly replicas: number;
  readonly #connection: RedisConnection;
  readonly #prefix: string;
  readonly #log: Options['log'];
  /** The addresses of nodes whose replicas were too slow. */
  readonly #behind = new Set<string>();
  readonly #checks = new Map<string, Promise<void>>();

  /** @param prefix of the keys that are written by default; it decides which node of a Cluster is asked */
  constructor(connection: RedisConnection, prefix: string, { replicas, log }: Options) {
    this.#connection = connection;
    this.#prefix = prefix;
    this.replicas = replicas;
    this.#log = log;
  }

  /**
   * Writes keys with a prefix, and resolves when the replicas have them. Once the replicas of a node were too slow, nothing is
   * written to it until they have caught up: otherwise each retry of a client would be stored again.
   * @throws NotReplicated within 0.5 s after the write, or before it
   */
  async confirm<T>(write: () => Promise<T>, prefix = this.#prefix): Promise<T> {
    if (this.replicas === 0) return write();
    if (this.#behind.has(addressOf(ownerOf(this.#connection, prefix)))) await this.check(prefix);
    const { owner, socket } = await this.#connected(prefix);
    const result = await write();
    await this.#wait(owner, socket, prefix);
    return result;
  }

  /**
   * Resolves if enough replicas have all that was written until now to the node that has the keys with a prefix.
   * @throws NotReplicated if not
   */
  check(prefix = this.#prefix): Promise<void> {
    if (this.replicas === 0) return Promise.resolve();
    const known = this.#checks.get(prefix);
    if (known) return known;
    const check = this.#connected(prefix)
      .then(({ owner, socket }) => this.#wait(owner, socket, prefix))
      .finally(() => this.#checks.delete(prefix));
    this.#checks.set(prefix, check);
    return check;
  }

  /**
   * Resolves if at least one node that has keys with one of these prefixes has enough replicas with all that was written.
   * @throws AggregateError if none has
   */
  async checkAny(prefixes: readonly string[]): Promise<void> {
    if (this.replicas === 0) return;
    // One check for each node: it executes nothing else meanwhile.
    const byOwner = new Map<Redis, string>();
    for (const prefix of prefixes) {
      const owner = this.#ownerNow(prefix);
      if (owner) byOwner.set(owner, prefix);
    }
    await Promise.any([...byOwner.values()].map((prefix) => this.check(prefix)));
  }

  /** Returns null while no node of the Cluster has the keys. */
  #ownerNow(prefix: string): Redis | null {
    try {
      return ownerOf(this.#connection, prefix);
    } catch {
      return null;
    }
  }

  async #connected(prefix: string) {
    const owner = ownerOf(this.#connection, prefix);
    // The connection to a node of a Cluster is opened by its first command.
    if (owner.status !== 'ready') await owner.ping();
    return { owner, socket: owner.stream };
  }

  /**
   * Redis counts the writes of a connection. On another connection, for example to the promoted replica after a failover,
   * `WAIT` would confirm writes that are lost. So the owner of the keys and its socket must be the same as before the write.
   */
  async #wait(before: Redis, socket: Redis['stream'], prefix: string): Promise<void> {
    const reached = await before.wait(this.replicas, WITHIN_MS).catch((error: Error) => {
      // Redis refuses: it is a replica itself since a failover, or its user must not use WAIT.
      if (error.name === 'ReplyError') this.#note(before, 0, error.message);
      throw error;
    });
    this.#note(before, reached);
    if (reached < this.replicas)
      throw new NotReplicated(
        `only ${reached} of ${this.replicas} replicas confirmed within ${WITHIN_MS} ms`,
      );
    const owner = ownerOf(this.#connection, prefix);
    if (owner !== before || owner.stream !== socket)
      throw new NotReplicated('the connection to Redis changed before replicas confirmed');
  }

  /** Logs when too few replicas of a node confirm, and when they do again. */
  #note(node: Redis, reached: number, error?: string): void {
    const master = addressOf(node);
    const isBehind = reached < this.replicas;
    if (isBehind && !this.#behind.has(master)) {
      this.#behind.add(master);
      this.#log.warn(
        { master, replicas: reached, required: this.replicas, error },
        'too few replicas of Redis confirm writes, so events and jobs are rejected with 503: check them with INFO replication on the master, or lower REDIS_WAIT_REPLICAS',
      );
    }
    if (!isBehind && this.#behind.delete(master))
      this.#log.info({ master, replicas: reached }, 'the replicas of Redis confirm writes again');
  }
}

const addressOf = ({ options: { path, host, port } }: Redis): string => path ?? `${host}:${port}`;
