import { type ConnectOptions, connectDatabase, type Database } from './connect.js';
import { isDatabaseAway } from './errors.js';

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
  readonly #primary: Database;
  readonly #replica: Database | null;
  #usable = false;
  #validUntil = 0;
  #looking: Promise<void> | null = null;

  constructor(primary: Database, replica: Database | null) {
    this.#primary = primary;
    this.#replica = replica;
  }

  /** The database to read from now. */
  async choose(): Promise<Database> {
    if (!this.#replica) return this.#primary;
    if (Date.now() >= this.#validUntil) {
      this.#looking ??= this.#look(this.#replica).finally(() => {
        this.#looking = null;
      });
      await this.#looking;
    }
    return this.#usable ? this.#replica : this.#primary;
  }

  /** Reads from there; from the primary after all when the replica is lost meanwhile. */
  async read<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = await this.choose();
    try {
      return await work(database);
    } catch (error) {
      if (database === this.#primary || !isDatabaseAway(error)) throw error;
      this.#conclude(false, AWAY_FOR_MS);
      return work(this.#primary);
    }
  }

  async close(): Promise<void> {
    await this.#replica?.destroy();
  }

  async #look(replica: Database): Promise<void> {
    const beatAt = await readBeat(replica).catch(() => null);
    if (!beatAt) return this.#conclude(false, AWAY_FOR_MS);
    const lag = await readTime(this.#primary).then(
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

/** Opens the replica, if one is named, beside the primary. */
export function openReadDatabase(
  primary: Database,
  replicaUrl: string | undefined,
  options: ConnectOptions = {},
): ReadDatabase {
  if (replicaUrl === undefined) return new ReadDatabase(primary, null);
  const replica = connectDatabase(replicaUrl, { ...options, acquireTimeoutMs: LOOK_WITHIN_MS });
  return new ReadDatabase(primary, replica);
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
