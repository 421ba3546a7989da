import { type ConnectOptions, connectDatabase, type Database } from '../connect.js';
import { isDatabaseUnavailable, isSchemaMissing, isStatementTimeout, PoolExhausted } from '../errors.js';
import { readNow } from '../now.js';
import { DatabaseProbe, openProbe, whileAlive } from '../probe.js';
import { isCurrent } from './replica-position.js';
import { SharedCheck } from './shared-check.js';

/** How often a worker writes the replica heartbeat, in milliseconds. */
export const REPLICA_BEAT_MS = 1_000;
/** How long a measured lag stays valid. This time counts as lag itself. */
const VALID_MS = 1_000;
/** How long a replica that did not respond is not queried again. Each such query can take a second. */
const UNAVAILABLE_FOR_MS = 5_000;
const CHECK_WITHIN_MS = 1_000;

/**
 * Chooses where lists and exports read. By default, the replica is used if it has everything that the primary had committed when the
 * request came: both are asked for their global transaction ids. Otherwise the primary is used.
 *
 * With a `maxLagMs`, an older replica is used too. Workers write the primary's time to a row. The lag is the primary's current time
 * minus the time that the replica has in this row, so neither the replica's clock nor its own measure of the lag matters. Without a
 * worker, all reads use the primary.
 */
export class ReadDatabase {
  readonly #primary: Source;
  readonly #replica: Source | null;
  readonly #maxLagMs: number;
  readonly #ownsPrimary: boolean;
  readonly #current = new SharedCheck(() => this.#checkCurrent());
  #usable = false;
  #validUntil = 0;
  #looking: Promise<void> | null = null;

  /**
   * Probes each database on separate connections if there are any, so that slow lists cannot make a database look
   * unavailable or a replica look late; otherwise on the connections that lists use.
   */
  constructor(
    primary: Database,
    replica: Database | null,
    { maxLagMs = 0, ownsPrimary = false, ...probes }: Options = {},
  ) {
    this.#primary = toSource(primary, probes.primary);
    this.#replica = replica && toSource(replica, probes.replica);
    this.#maxLagMs = maxLagMs;
    this.#ownsPrimary = ownsPrimary;
  }

  /** Returns the primary alone, on the same connections. Do not close it. */
  primaryOnly(): ReadDatabase {
    const { database, probe } = this.#primary;
    return new ReadDatabase(database, null, { primary: probe });
  }

  /** Returns the database to read from now. */
  async choose(): Promise<Database> {
    return (await this.#source()).database;
  }

  /**
   * Reads from the chosen database, and from the primary if the replica fails or lacks a migration. A slow read is not repeated: a heavy query
   * would load both databases.
   * @throws DatabaseSilent if the primary stops responding
   */
  async read<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const source = await this.#source();
    try {
      return await readFrom(source, work);
    } catch (error) {
      if (source === this.#primary || !isUnusable(error)) throw error;
      this.#conclude(false, UNAVAILABLE_FOR_MS);
      return readFrom(this.#primary, work);
    }
  }

  /** Closes the replica's connections, and the primary's if it owns them; otherwise the caller closes those. */
  async close(): Promise<void> {
    if (this.#ownsPrimary) await this.#primary.database.destroy();
    await this.#replica?.database.destroy();
    await this.#replica?.probe.close();
  }

  async #source(): Promise<Source> {
    if (!this.#replica) return this.#primary;
    if (this.#maxLagMs === 0) return (await this.#isCurrent()) ? this.#replica : this.#primary;
    if (performance.now() >= this.#validUntil) {
      this.#looking ??= this.#look(this.#replica).finally(() => {
        this.#looking = null;
      });
      await this.#looking;
    }
    return this.#usable ? this.#replica : this.#primary;
  }

  async #isCurrent(): Promise<boolean> {
    if (!this.#usable && performance.now() < this.#validUntil) return false;
    return this.#current.run();
  }

  /** A replica that is late or does not respond is left alone for a while, because each check delays the reads that wait for it. */
  async #checkCurrent(): Promise<boolean> {
    if (!this.#replica) return false;
    const [primary, replica] = [this.#primary.probe.database, this.#replica.probe.database];
    const current = await isCurrent(primary, replica).catch(() => null);
    this.#conclude(current === true, current === null ? UNAVAILABLE_FOR_MS : VALID_MS);
    return current === true;
  }

  async #look(replica: Source): Promise<void> {
    const beatAt = await readBeat(replica.probe.database).catch(() => null);
    if (!beatAt) return this.#conclude(false, UNAVAILABLE_FOR_MS);
    const lag = await readNow(this.#primary.probe.database).then(
      (now) => now.getTime() - beatAt.getTime(),
      () => Number.POSITIVE_INFINITY,
    );
    this.#conclude(lag + VALID_MS <= this.#maxLagMs, VALID_MS);
  }

  #conclude(usable: boolean, forMs: number): void {
    this.#usable = usable;
    this.#validUntil = performance.now() + forMs;
  }
}

interface Source {
  database: Database;
  probe: DatabaseProbe;
}

interface Options {
  /** How old the data of the replica may be, in milliseconds. Default 0: it has everything. */
  maxLagMs?: number;
  /** Whether `close` closes the primary's connections. The caller always closes the probe. Default: false. */
  ownsPrimary?: boolean;
  primary?: DatabaseProbe | undefined;
  replica?: DatabaseProbe | undefined;
}

const toSource = (database: Database, probe = new DatabaseProbe(database)): Source => ({ database, probe });

const readFrom = <T>({ database, probe }: Source, work: (database: Database) => Promise<T>): Promise<T> =>
  whileAlive(probe, work(database));

/**
 * Returns whether the replica failed, or has not replicated a migration yet that the query needs. An exhausted pool and a
 * statement timeout only show that it is busy.
 */
const isUnusable = (error: unknown): boolean =>
  isSchemaMissing(error) ||
  (isDatabaseUnavailable(error) && !(error instanceof PoolExhausted) && !isStatementTimeout(error));

interface ReadOptions extends ConnectOptions {
  /** See {@link ReadDatabase}. Default 0. */
  maxLagMs?: number;
  /** Whether `close` closes the primary's connections. Default: false. */
  ownsPrimary?: boolean;
  /** The primary's probe. Default: probes on the primary's own connections. */
  probe?: DatabaseProbe;
}

/** Opens the replica if there is a URL for one. */
export function openReadDatabase(
  primary: Database,
  replicaUrl: string | undefined,
  { probe, maxLagMs = 0, ownsPrimary = false, ...options }: ReadOptions = {},
): ReadDatabase {
  if (replicaUrl === undefined) return new ReadDatabase(primary, null, { ownsPrimary, primary: probe });
  const replica = connectDatabase(replicaUrl, { ...options, acquireTimeoutMs: CHECK_WITHIN_MS });
  const probes = { primary: probe, replica: openProbe(replicaUrl) };
  return new ReadDatabase(primary, replica, { maxLagMs, ownsPrimary, ...probes });
}

/** Writes the primary's current time, which replication copies to the replica. */
export async function beatForReplicas(primary: Database): Promise<void> {
  await primary.raw(
    'INSERT INTO replica_heartbeat (id, beat_at) VALUES (1, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE beat_at = VALUES(beat_at)',
  );
}

/** Returns the primary's time as the replica last received it; null if no worker has written it yet. */
export async function readBeat(replica: Database): Promise<Date | null> {
  const row = await replica('replica_heartbeat').where({ id: 1 }).first('beat_at').timeout(CHECK_WITHIN_MS);
  return row?.beat_at ?? null;
}
