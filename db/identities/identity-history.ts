import type { Knex } from 'knex';
import { BulkTable } from '../bulk/table.js';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';
import { executePrepared } from '../client/statement.js';
import type { ChunkOutcome, OwnedKey } from './chunk-outcome.js';
import type { IdentityChange } from './import-changes.js';
import type { IdentityKey } from './key-order.js';
import { keyRange, RangeMismatch, type StoredIdentities } from './lock-identities.js';

/** A change of an account's owner, as its history records it. */
export interface HistoryEntry {
  /** UTC in ISO 8601 with microseconds. */
  changedAt: string;
  jobId: string;
  apiKeyId: string;
  before: string | null;
  after: string | null;
}

export type HistoryPlace = Pick<HistoryEntry, 'changedAt' | 'jobId'>;

interface Author {
  jobId: string;
  apiKeyId: string;
  /** The acceptance number of the upload. */
  acceptance: number;
}

const table = new BulkTable('identity_history', {
  integration_id: 'number',
  identity: 'text',
  job_id: 'id',
  api_key_id: 'id',
  email_before: 'text',
  email_after: 'text',
});

/** Copying reads the whole range, so it pays if at least this part of the rows is copied. */
const MIN_COPIED = 0.25;

/**
 * Records the changes of owners in a chunk, in the transaction that writes it. To be called after the new accounts were inserted,
 * before other rows get the acceptance number.
 *
 * @throws RangeMismatch if other rows between the accounts have the acceptance number
 */
export async function recordHistory(
  transaction: Knex.Transaction,
  author: Author,
  { inserts, revivals, changes }: ChunkOutcome,
  stored: StoredIdentities,
): Promise<void> {
  // A revived account has no owner before either, but is not inserted.
  const copies = stored.isRange && revivals.length === 0 && inserts.length >= MIN_COPIED * stored.rows.length;
  if (copies) await copyInserted(transaction, author, inserts);
  const others = copies ? changes.filter(({ before }) => before !== null) : changes;
  await insertHistory(transaction, author, others);
}

/**
 * Lets the server copy inserted accounts into the history, which costs the worker nothing. All of them match the condition, so if
 * the number of copied rows is theirs, nothing else was copied.
 */
async function copyInserted(
  transaction: Knex.Transaction,
  { jobId, apiKeyId, acceptance }: Author,
  inserts: readonly OwnedKey[],
): Promise<void> {
  const owned = inserts.filter(({ email }) => email !== null);
  const [first, last] = [owned[0], owned.at(-1)];
  if (!first || !last) return;
  const { sql, values } = keyRange(first, last);
  const { affectedRows } = await executePrepared(
    transaction,
    `INSERT INTO identity_history (integration_id, identity, job_id, api_key_id, email_before, email_after)
     SELECT integration_id, identity, ?, ?, NULL, email FROM identities FORCE INDEX (PRIMARY)
     WHERE ${sql} AND asserted_by = ? AND email IS NOT NULL`,
    [toUuidBinary(jobId), toUuidBinary(apiKeyId), ...values, String(acceptance)],
  );
  if (affectedRows !== owned.length)
    throw new RangeMismatch(`copied ${affectedRows} rows, inserted ${owned.length}`);
}

/** Records changes row by row, those of them that changed the owner. */
async function insertHistory(
  transaction: Knex.Transaction,
  { jobId, apiKeyId }: Author,
  changes: readonly IdentityChange[],
): Promise<void> {
  const rows = table.rows();
  for (const { integrationId, identity, before, after } of changes) {
    if (before === after) continue;
    rows.number(integrationId);
    rows.text(identity);
    rows.id(jobId);
    rows.id(apiKeyId);
    rows.text(before);
    rows.text(after);
    rows.endRow();
  }
  await table.insert(transaction, rows);
}

/** Returns a page of an account's history, newest first. */
export async function listHistory(
  database: Database,
  { integrationId, identity }: IdentityKey,
  { limit, after, withinMs }: { limit: number; after: HistoryPlace | undefined; withinMs: number },
): Promise<HistoryEntry[]> {
  const query = database('identity_history')
    .where({ integration_id: integrationId, identity })
    .select('job_id', 'api_key_id', 'email_before', 'email_after')
    // The driver would return a Date, which has milliseconds only.
    .select(database.raw('CAST(changed_at AS CHAR) AS changed_at_text'))
    .limit(limit);
  orderByKeyset(query, {
    columns: ['changed_at', 'job_id'],
    order: 'desc',
    after: after && [after.changedAt.slice(0, -1).replace('T', ' '), toUuidBinary(after.jobId)],
  });
  const rows = await selectWithin<HistoryRow>(database, query, withinMs);
  return rows.map((row) => ({
    changedAt: `${row.changed_at_text.replace(' ', 'T')}Z`,
    jobId: fromUuidBinary(row.job_id),
    apiKeyId: fromUuidBinary(row.api_key_id),
    before: row.email_before,
    after: row.email_after,
  }));
}

interface HistoryRow {
  changed_at_text: string;
  job_id: Buffer;
  api_key_id: Buffer;
  email_before: string | null;
  email_after: string | null;
}

/** Deletes the oldest entries that are older than `before`. Returns their number. */
export const deleteHistoryBefore = (database: Database, before: Date, limit: number): Promise<number> =>
  database('identity_history').where('changed_at', '<', before).orderBy('changed_at').limit(limit).delete();
