import type { Knex } from 'knex';
import type { Database } from './connect.js';
import { isDuplicateKey } from './errors.js';

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

const where = ({ apiKeyId, method, path, key }: IdempotencyScope) => ({
  api_key_id: apiKeyId,
  method,
  path,
  idempotency_key: key,
});

/** Takes a key for a request. False when it is taken, or was used already. */
export async function takeKey(
  database: Database,
  scope: IdempotencyScope,
  holder: string,
  leaseUntil: Date,
): Promise<boolean> {
  const row = { ...where(scope), lease_until: leaseUntil, lease_holder: holder, created_at: new Date() };
  try {
    await database('idempotency_records').insert(row);
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
  const row = await database('idempotency_records').where(where(scope)).first();
  if (!row) return null;
  const { status, headers, body } = row;
  const answer = status === null ? null : { status, headers: JSON.parse(headers), body };
  const leaseOver = row.lease_until === null || row.lease_until.getTime() < Date.now();
  return { leaseOver, requestHash: row.request_hash, answer, jobId: row.job_id };
}

/** Takes over from a holder that let its lease run out: it was killed. False when somebody else was quicker. */
export async function takeOver(
  database: Database,
  scope: IdempotencyScope,
  holder: string,
  leaseUntil: Date,
): Promise<boolean> {
  const changed = await database('idempotency_records')
    .where(where(scope))
    .whereNull('status')
    .whereNull('job_id')
    .where('lease_until', '<', new Date())
    .update({ lease_until: leaseUntil, lease_holder: holder });
  return changed > 0;
}

/** Keeps a key while its request goes on. */
export async function renewLease(
  database: Database,
  scope: IdempotencyScope,
  holder: string,
  leaseUntil: Date,
): Promise<void> {
  await database('idempotency_records')
    .where({ ...where(scope), lease_holder: holder })
    .update({ lease_until: leaseUntil });
}

/** Notes the job that a request made, in the transaction that makes it: whatever becomes of the request, there is one job. */
export async function linkJob(
  transaction: Knex.Transaction,
  scope: IdempotencyScope,
  requestHash: Buffer,
  jobId: string,
): Promise<void> {
  await transaction('idempotency_records')
    .where(where(scope))
    .update({ request_hash: requestHash, job_id: jobId });
}

/** Keeps an answer for whoever repeats the request. */
export async function recordAnswer(
  database: Database,
  scope: IdempotencyScope,
  holder: string,
  requestHash: Buffer,
  { status, headers, body }: RecordedAnswer,
): Promise<void> {
  await database('idempotency_records')
    .where({ ...where(scope), lease_holder: holder })
    .update({
      request_hash: requestHash,
      status,
      headers: JSON.stringify(headers),
      body,
      lease_until: null,
      lease_holder: null,
    });
}

/** Gives a key back: its request may be repeated from the start. */
export async function releaseKey(database: Database, scope: IdempotencyScope, holder: string): Promise<void> {
  await database('idempotency_records')
    .where({ ...where(scope), lease_holder: holder })
    .delete();
}

/** Removes at most `limit` records made before `before`; answers how many. */
export async function deleteRecordsBefore(database: Database, before: Date, limit: number): Promise<number> {
  return database('idempotency_records').where('created_at', '<', before).limit(limit).delete();
}
