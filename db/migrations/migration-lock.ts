import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../client/connect.js';

const TABLE = 'migration_lock';
/** The error of a statement on a table that does not exist. */
const NO_SUCH_TABLE = 1146;
const RENEW_EVERY_MS = 1_000;
const LOOK_EVERY_MS = 500;
/** So many looks in a row without a renewal mean that the holder was killed: about 10 s. */
const LOOKS_UNTIL_DEAD = 20;

/** How to wait for the lock. */
interface Patience {
  /** How long another process may hold the lock, in milliseconds. */
  waitMs: number;
}

/**
 * A lock of a whole database for one process that migrates it: a row with its holder, who renews it. The server's own named
 * locks are separate on each node of a cluster. The holder counts its renewals, and another process takes over when it has seen
 * the same count for 10 s. No clock is compared, and a statement that blocks the whole cluster delays both alike.
 */
export class MigrationLock {
  readonly #database: Database;
  readonly #holder = randomUUID();
  #renewal: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Takes the lock, and renews it until `release`.
   * @throws Error if another process keeps it for longer than that
   */
  async take({ waitMs }: Patience): Promise<void> {
    const deadline = performance.now() + waitMs;
    let last: Row | null = null;
    for (let unchanged = 0; ; unchanged++) {
      const row = await this.#look();
      if (row.holder !== last?.holder || row.renewals !== last?.renewals) unchanged = 0;
      if (row.holder === null || unchanged >= LOOKS_UNTIL_DEAD) {
        if (await this.#takeFrom(row)) break;
      } else if (performance.now() > deadline) {
        throw new Error(`another process has been migrating this database for over ${waitMs / 1_000} s`);
      }
      last = row;
      await sleep(LOOK_EVERY_MS);
    }
    this.#renewal = setInterval(() => void this.#renew().catch(() => {}), RENEW_EVERY_MS);
  }

  /** @throws Error if another process has taken over, because this one was stopped for a while */
  async check(): Promise<void> {
    if ((await this.#renew()) === 0)
      throw new Error('another process has taken over the migration of this database');
  }

  /** Releases the lock. If the database is unavailable, the others wait for 10 s. Never throws. */
  async release(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#own()
      .update({ holder: null })
      .catch(() => {});
  }

  #own() {
    return this.#database(TABLE).where({ id: 1, holder: this.#holder });
  }

  async #renew(): Promise<number> {
    return this.#own().increment('renewals');
  }

  /** Takes the lock if nobody was faster. */
  async #takeFrom({ holder, renewals }: Row): Promise<boolean> {
    const changed = await this.#database(TABLE)
      .where({ id: 1, holder, renewals })
      .update({ holder: this.#holder, renewals: renewals + 1 });
    return changed > 0;
  }

  async #look(): Promise<Row> {
    const row = await this.#read().catch((error) => {
      if (error.errno !== NO_SUCH_TABLE) throw error;
    });
    if (row) return row;
    await this.#database.raw(
      `CREATE TABLE IF NOT EXISTS ${TABLE} (id TINYINT PRIMARY KEY, holder CHAR(36), renewals INT UNSIGNED NOT NULL) ENGINE=InnoDB`,
    );
    await this.#database.raw(`INSERT IGNORE INTO ${TABLE} (id, renewals) VALUES (1, 0)`);
    return this.#look();
  }

  async #read(): Promise<Row | undefined> {
    return this.#database(TABLE).where({ id: 1 }).first('holder', 'renewals');
  }
}

interface Row {
  holder: string | null;
  renewals: number;
}
