import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Database } from './connect.js';
import { DatabaseSilent } from './errors.js';

const WITHIN_MS = 1_000;

/**
 * Checks whether a database responds. It uses separate connections: on those of the work that it watches, it would wait for
 * that work, and mistake a busy database for an unavailable one.
 */
export class DatabaseProbe {
  /** For the probe's own short statements only. */
  readonly database: Database;
  #checking: Promise<void> | null = null;

  constructor(database: Database) {
    this.database = database;
  }

  /** Resolves when the database responds, and rejects with the reason if it does not. Concurrent callers share one query. */
  check(): Promise<void> {
    this.#checking ??= Promise.resolve(this.database.raw('SELECT 1'))
      .then(() => {})
      .finally(() => {
        this.#checking = null;
      });
    return this.#checking;
  }

  /** True when the database responds within that time. */
  responds(withinMs: number): Promise<boolean> {
    const inTime = this.check().then(
      () => true,
      () => false,
    );
    return Promise.race([inTime, sleep(withinMs, false, { ref: false })]);
  }

  async close(): Promise<void> {
    await this.database.destroy();
  }
}

/** Opens a probe; each of its checks ends within about a second. */
export const openProbe = (url: string): DatabaseProbe =>
  new DatabaseProbe(
    connectDatabase(url, { poolMax: 2, acquireTimeoutMs: WITHIN_MS, statementTimeoutMs: WITHIN_MS }),
  );

/** Most lookups are done by then and cost no second statement. */
const FIRST_AFTER_MS = 150;
const THEN_EVERY_MS = 500;

/**
 * Waits for work that may take longer than other statements, as long as the database responds to the probe. Without the
 * probe, a frozen database would look like slow work until that work's own deadline.
 * @throws DatabaseSilent if the database does not respond to the probe
 */
export async function whileAlive<T>(probe: DatabaseProbe, work: Promise<T>): Promise<T> {
  const done = new AbortController();
  return Promise.race([work, silence(probe, done.signal)]).finally(() => done.abort());
}

/** Never resolves. Rejects when the database does not respond to the probe, or when the signal fires. */
async function silence(probe: DatabaseProbe, signal: AbortSignal): Promise<never> {
  let pauseMs = FIRST_AFTER_MS;
  for (;;) {
    await sleep(pauseMs, undefined, { signal });
    await probe.check().catch((cause) => {
      throw new DatabaseSilent('the database does not respond', { cause });
    });
    pauseMs = THEN_EVERY_MS;
  }
}
