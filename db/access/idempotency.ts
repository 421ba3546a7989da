import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { isDuplicateKey } from '../client/errors.js';
import { inTransaction } from '../client/transaction.js';

/** Whose request a key belongs to: the same key on another address is another one. */
export interface IdempotencyScope {
  apiKeyId: string;
  method: string;
  path: string;
  key: string;
}

export interface RecordedAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What stands under a key: an answer, or a request under way. */
export interface IdempotencyRecord {
  /** Nobody holds the key any more. */
  leaseOver: boolean;
  requestHash: Buffer | null;
  answer: RecordedAnswer | null;
  /** The job that the request made, whether it was answered or not. */
  jobId: string | null;
}

/** A request's hold on a key. */
export interface IdempotencyLease {
  scope: IdempotencyScope;
  /** Names the one request that holds the key. */
  holder: string;
}

const TABLE = 'idempotency_records';

const where = ({ apiKeyId, method, path, key }: IdempotencyScope) => ({
  api_key_id: apiKeyId,
  method,
  path,
  idempotency_key: key,
});

/** Leases are measured by the database's clock, because the clocks of API hosts may differ. */
const now = (database: Database) => database.raw('UTC_TIMESTAMP(3)');
const inSeconds = (database: Database, seconds: number) =>
  database.raw('UTC_TIMESTAMP(3) + INTERVAL ? SECOND', [seconds]);

/** The record as long as the lease's holder is still named in it. */
const named = (database: Database, { scope, holder }: IdempotencyLease) =>
  database(TABLE).where({ ...where(scope), lease_holder: holder });

/** The record as long as the lease is held: nobody took it over, and it has not lapsed. */
const held = (database: Database, lease: IdempotencyLease) =>
  named(database, lease).where('lease_until', '>', now(database));

/**
 * Takes a key for a request. Returns false if the key is taken or was used already. Runs in a transaction, so a database
 * that freezes before the COMMIT leaves no record behind.
 */
export async function takeKey(
  database: Database,
  { scope, holder }: IdempotencyLease,
  seconds: number,
): Promise<boolean> {
  const lease = { lease_until: inSeconds(database, seconds), lease_holder: holder };
  const row = { ...where(scope), ...lease, created_at: new Date() };
  try {
    await inTransaction(database, (transaction) => transaction(TABLE).insert(row));
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

export async function findRecord(
  database: Database,
  scope: IdempotencyScope,
): Promise<IdempotencyRecord | null> {
  const leaseOver = database.raw('lease_until IS NULL OR lease_until <= UTC_TIMESTAMP(3) AS lease_over');
  const row = await database(TABLE).where(where(scope)).first('*', leaseOver);
  if (!row) return null;
  const { status, headers, body } = row;
  const answer = status === null ? null : { status, headers: JSON.parse(headers), body };
  return { leaseOver: row.lease_over === 1, requestHash: row.request_hash, answer, jobId: row.job_id };
}

/**
 * Takes over a key whose holder let its lease lapse or gave it up. Returns false if somebody else was quicker. From here
 * on nothing that the earlier holder writes under its lease takes effect.
 */
export async function takeOver(
  database: Database,
  { scope, holder }: IdempotencyLease,
  seconds: number,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const changed = await transaction(TABLE)
      .where(where(scope))
      .whereNull('status')
      .where((over) => over.whereNull('lease_until').orWhere('lease_until', '<=', now(transaction)))
      .update({ lease_until: inSeconds(transaction, seconds), lease_holder: holder });
    return changed > 0;
  });
}

/** Keeps a key while its request goes on. A lapsed lease is renewed too, unless another request took the key over. */
export async function renewLease(
  database: Database,
  lease: IdempotencyLease,
  seconds: number,
): Promise<void> {
  await named(database, lease).update({ lease_until: inSeconds(database, seconds) });
}

/** Locks the record until the transaction ends. Returns false if the lease is no longer held. */
export async function lockLease(transaction: Knex.Transaction, lease: IdempotencyLease): Promise<boolean> {
  return (await held(transaction, lease).forUpdate().first('lease_until')) !== undefined;
}

/**
 * Links the job that a request made, in the transaction that makes it, so that there is one job whatever happens to the
 * request. Returns false if the lease is no longer held: then the transaction must not commit.
 */
export async function linkJob(
  transaction: Knex.Transaction,
  lease: IdempotencyLease,
  requestHash: Buffer,
  jobId: string,
): Promise<boolean> {
  return (await held(transaction, lease).update({ request_hash: requestHash, job_id: jobId })) > 0;
}

/** Removes the link to a job that will not run. Returns false if the lease is no longer held. */
export async function unlinkJob(database: Database, lease: IdempotencyLease): Promise<boolean> {
  return (await held(database, lease).update({ request_hash: null, job_id: null })) > 0;
}

/**
 * Stores the response to replay, and gives the lease up. Returns false if the lease is no longer held: in the transaction
 * of what the response reports, that transaction must not commit.
 */
export async function recordAnswer(
  database: Database,
  lease: IdempotencyLease,
  requestHash: Buffer,
  { status, headers, body }: RecordedAnswer,
): Promise<boolean> {
  const changed = await held(database, lease).update({
    request_hash: requestHash,
    status,
    headers: JSON.stringify(headers),
    body,
    lease_until: now(database),
    lease_holder: null,
  });
  return changed > 0;
}

/**
 * Gives a key back. A request without a job may be repeated from the start; a link to a job stays. If the transaction that
 * links a job is still being committed, this waits for its end.
 */
export async function releaseKey(database: Database, lease: IdempotencyLease): Promise<void> {
  if ((await named(database, lease).whereNull('job_id').delete()) > 0) return;
  await named(database, lease).update({ lease_until: now(database), lease_holder: null });
}

/** Deletes at most `limit` records whose request began and ended before `before`. Returns how many. */
export async function deleteRecordsBefore(database: Database, before: Date, limit: number): Promise<number> {
  return database(TABLE)
    .where('created_at', '<', before)
    .where((ended) => ended.whereNull('lease_until').orWhere('lease_until', '<', before))
    .limit(limit)
    .delete();
}
