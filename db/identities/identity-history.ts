import type { Knex } from 'knex';
import { BulkTable } from '../bulk/table.js';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';
import type { IdentityChange } from './import-changes.js';
import type { IdentityKey } from './key-order.js';

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

const table = new BulkTable('identity_history', {
  integration_id: 'number',
  identity: 'text',
  job_id: 'id',
  api_key_id: 'id',
  email_before: 'text',
  email_after: 'text',
});

/** Records the changes of owners in a chunk, in the transaction that writes it. The other changes are left out. */
export async function insertHistory(
  transaction: Knex.Transaction,
  { jobId, apiKeyId }: { jobId: string; apiKeyId: string },
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
