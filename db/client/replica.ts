import { type ConnectOptions, connectDatabase, type Database } from './connect.js';
import { isDatabaseUnavailable, isStatementTimeout, PoolExhausted } from './errors.js';
import { DatabaseProbe, openProbe } from './probe.js';
import { whileAlive } from './while-alive.js';

/** How far behind a replica may be, in milliseconds. */
export const MAX_LAG_MS = 5_000;
/** How often a worker should beat while there is a replica. */
export const REPLICA_BEAT_MS = 1_000;
/** How long a measured lag is believed; it counts as lag itself. */
const BELIEVED_MS = 1_000;
/** A replica that did not answer is asked again only after this: each such look can take a second. */
const AWAY_FOR_MS = 5_000;
const LOOK_WITHIN_MS = 1_000;

/**
 * Where lists and exports of identities read: from the replica while it is at most 5 s behind, else from the primary.
 * Workers write the primary's time into a row; the lag is the primary's time now less what the replica has there, so
 * neither the replica's clock nor its own view of its lag matters. Without a worker nothing beats, and the primary serves.
 */
export class ReadDatabase {
  readonly #primary: Source;
  readonly #replica: Source | null;
  #usable = false;
  #validUntil = 0;
  #looking: Promise<void> | null = null;

  /**
   * Each database is probed over connections of its own if there are any, else over those that lists read by. Then slow
   * lists cannot make a database look unavailable, or a replica look late.
   */
  constructor(primary: Database, replica: Database | null, probes: Probes = {}) {
    this.#primary = toSource(primary, probes.primary);
    this.#replica = replica && toSource(replica, probes.replica);
  }

  /** The database to read from now. */
  async choose(): Promise<Database> {
    return (await this.#source()).database;
  }

  /**
   * Reads from there. When the replica is lost meanwhile, reads from the primary instead. A read that was only slow is not
   * repeated: a heavy query would then load both.
   * @throws DatabaseSilent when the primary stops responding
   */
  async read<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const source = await this.#source();
    try {
      return await readFrom(source, work);
    } catch (error) {
      if (source === this.#primary || !isLost(error)) throw error;
      this.#conclude(false, AWAY_FOR_MS);
      return readFrom(this.#primary, work);
    }
  }

  /** Closes the replica's connections. The primary's belong to whoever opened them. */
  async close(): Promise<void> {
    await this.#replica?.database.destroy();
    await this.#replica?.probe.close();
  }

  async #source(): Promise<Source> {
    if (!this.#replica) return this.#primary;
    if (Date.now() >= this.#validUntil) {
      this.#looking ??= this.#look(this.#replica).finally(() => {
        this.#looking = null;
      });
      await this.#looking;
    }
    return this.#usable ? this.#replica : this.#primary;
  }

  async #look(replica: Source): Promise<void> {
    const beatAt = await readBeat(replica.probe.database).catch(() => null);
    if (!beatAt) return this.#conclude(false, AWAY_FOR_MS);
    const lag = await readTime(this.#primary.probe.database).then(
      (now) => now.getTime() - beatAt.getTime(),
      () => Number.POSITIVE_INFINITY,
    );
    this.#conclude(lag + BELIEVED_MS <= MAX_LAG_MS, BELIEVED_MS);
  }

  #conclude(usable: boolean, forMs: number): void {
    this.#usable = usable;
    this.#validUntil = Date.now() + forMs;
  }
}

interface Source {
  database: Database;
  probe: DatabaseProbe;
}

interface Probes {
  primary?: DatabaseProbe | undefined;
  replica?: DatabaseProbe | undefined;
}

const toSource = (database: Database, probe = new DatabaseProbe(database)): Source => ({ database, probe });

const readFrom = <T>({ database, probe }: Source, work: (database: Database) => Promise<T>): Promise<T> =>
  whileAlive(probe, work(database));

/** True when the replica is gone. A full pool and a statement that ran out of time only show that it has much to do. */
const isLost = (error: unknown): boolean =>
  isDatabaseUnavailable(error) && !(error instanceof PoolExhausted) && !isStatementTimeout(error);

interface ReadOptions extends ConnectOptions {
  /** The primary's probe, if it has one. */
  probe?: DatabaseProbe;
}

/** Opens the replica, if one is named, beside the primary. */
export function openReadDatabase(
  primary: Database,
  replicaUrl: string | undefined,
  { probe, ...options }: ReadOptions = {},
): ReadDatabase {
  if (replicaUrl === undefined) return new ReadDatabase(primary, null, { primary: probe });
  const replica = connectDatabase(replicaUrl, { ...options, acquireTimeoutMs: LOOK_WITHIN_MS });
  return new ReadDatabase(primary, replica, { primary: probe, replica: openProbe(replicaUrl) });
}

/** Writes the primary's time for its replicas to carry. */
export async function beatForReplicas(primary: Database): Promise<void> {
  await primary.raw(
    'INSERT INTO replica_heartbeat (id, beat_at) VALUES (1, UTC_TIMESTAMP(3)) ON DUPLICATE KEY UPDATE beat_at = VALUES(beat_at)',
  );
}

async function readBeat(replica: Database): Promise<Date | null> {
  const row = await replica('replica_heartbeat').where({ id: 1 }).first('beat_at').timeout(LOOK_WITHIN_MS);
  return row?.beat_at ?? null;
}

async function readTime(primary: Database): Promise<Date> {
  const [[row]] = await primary.raw('SELECT UTC_TIMESTAMP(3) AS now');
  return row.now;
}
