import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { isDuplicateKey } from '../client/errors.js';
import { sqlInSeconds, sqlNow } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';

/** What an `Idempotency-Key` is unique within: an API key, a method and a path. */
export interface IdempotencyScope {
  apiKeyId: string;
  method: string;
  path: string;
  key: string;
}

/** A response to replay. */
export interface RecordedResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What is stored under a key: a response, or a request in progress. */
export interface IdempotencyRecord {
  /** True if no request holds the key. */
  leaseOver: boolean;
  requestHash: Buffer | null;
  response: RecordedResponse | null;
  /** The job that the request created, with or without a response. */
  jobId: string | null;
}

/** A request's lease on a key. */
export interface IdempotencyLease {
  scope: IdempotencyScope;
  /** Identifies the request that holds the key. */
  holder: string;
}

const TABLE = 'idempotency_records';

const where = ({ apiKeyId, method, path, key }: IdempotencyScope) => ({
  api_key_id: apiKeyId,
  method,
  path,
  idempotency_key: key,
});

/** Selects the record if its holder is still this one. */
const withHolder = (database: Database, { scope, holder }: IdempotencyLease) =>
  database(TABLE).where({ ...where(scope), lease_holder: holder });

/** Selects the record if the lease is still held: it was not taken over, and has not expired. */
const held = (database: Database, lease: IdempotencyLease) =>
  withHolder(database, lease).where('lease_until', '>', sqlNow(database));

/**
 * Takes a key for a request. Returns false if the key is held or was used before. Runs in a transaction, so a database
 * that freezes before the COMMIT leaves no record.
 */
export async function takeKey(
  database: Database,
  { scope, holder }: IdempotencyLease,
  seconds: number,
): Promise<boolean> {
  const lease = { lease_until: sqlInSeconds(database, seconds), lease_holder: holder };
  const row = { ...where(scope), ...lease, created_at: sqlNow(database) };
  try {
    await inTransaction(database, (transaction) => transaction(TABLE).insert(row));
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}

/** Returns what is stored under a key; null if the key was never used. */
export async function findRecord(
  database: Database,
  scope: IdempotencyScope,
): Promise<IdempotencyRecord | null> {
  const leaseOver = database.raw('lease_until IS NULL OR lease_until <= UTC_TIMESTAMP(3) AS lease_over');
  const row = await database(TABLE).where(where(scope)).first('*', leaseOver);
  if (!row) return null;
  const { status, headers, body } = row;
  const response = status === null ? null : { status, headers: JSON.parse(headers), body };
  return { leaseOver: row.lease_over === 1, requestHash: row.request_hash, response, jobId: row.job_id };
}

/**
 * Takes over a key whose lease expired or was released. Returns false if another request was faster. From then on, the
 * writes of the earlier holder have no effect.
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
      .where((over) => over.whereNull('lease_until').orWhere('lease_until', '<=', sqlNow(transaction)))
      .update({ lease_until: sqlInSeconds(transaction, seconds), lease_holder: holder });
    return changed > 0;
  });
}

/** Extends a lease. An expired one too, unless another request took over the key. */
export async function renewLease(
  database: Database,
  lease: IdempotencyLease,
  seconds: number,
): Promise<void> {
  await withHolder(database, lease).update({ lease_until: sqlInSeconds(database, seconds) });
}

/** Locks the record until the transaction ends. Returns false if the lease is no longer held. */
export async function lockLease(transaction: Knex.Transaction, lease: IdempotencyLease): Promise<boolean> {
  return (await held(transaction, lease).forUpdate().first('lease_until')) !== undefined;
}

/**
 * Links the job of a request, in the transaction that creates the job, so that repetitions never create a second one.
 * Returns false if the lease is no longer held: then the transaction must not commit.
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
 * Stores the response to replay, and ends the lease. Returns false if the lease is no longer held: if this runs in the
 * transaction of the change that the response reports, that transaction must not commit.
 */
export async function recordResponse(
  database: Database,
  lease: IdempotencyLease,
  requestHash: Buffer,
  { status, headers, body }: RecordedResponse,
): Promise<boolean> {
  const changed = await held(database, lease).update({
    request_hash: requestHash,
    status,
    headers: JSON.stringify(headers),
    body,
    lease_until: sqlNow(database),
    lease_holder: null,
  });
  return changed > 0;
}

/**
 * Releases a key. A request without a job can start over; a link to a job remains. If the transaction that links a job is
 * being committed, this waits until it has ended.
 */
export async function releaseKey(database: Database, lease: IdempotencyLease): Promise<void> {
  if ((await withHolder(database, lease).whereNull('job_id').delete()) > 0) return;
  await withHolder(database, lease).update({ lease_until: sqlNow(database), lease_holder: null });
}

/** Deletes up to `limit` records of requests that began and ended before `before`. Returns their number. */
export async function deleteRecordsBefore(database: Database, before: Date, limit: number): Promise<number> {
  return database(TABLE)
    .where('created_at', '<', before)
    .where((ended) => ended.whereNull('lease_until').orWhere('lease_until', '<', before))
    .limit(limit)
    .delete();
}
