import type { Knex } from 'knex';
import { BulkTable } from '../../bulk/table.js';
import type { Database } from '../../client/connect.js';
import type { ChunkOutcome } from '../chunk-outcome.js';
import type { IdentityChange } from '../import-changes.js';
import { copyCreations, type UploadAuthor } from './creations.js';

const table = new BulkTable('identity_history', {
  integration_id: 'number',
  identity: 'text',
  job_id: 'id',
  api_key_id: 'id',
  email_before: 'text',
  email_after: 'text',
});

/**
 * Records the changes of owners in a chunk, in the transaction that writes it and before the accounts are changed. New accounts need no
 * entry: each holds its own until its owner changes, see `creationEntries`.
 */
export async function recordHistory(
  transaction: Knex.Transaction,
  author: UploadAuthor,
  { moves, revivals, changes }: ChunkOutcome,
): Promise<void> {
  await copyCreations(transaction, moves);
  await insertEntries(transaction, author, [
    ...changes.filter(({ before, outcome }) => before !== null && outcome !== 'conflict'),
    ...revivals.map((row) => ({ ...row, before: null, after: row.email })),
  ]);
}

async function insertEntries(
  transaction: Knex.Transaction,
  { jobId, apiKeyId }: UploadAuthor,
  changes: readonly Pick<IdentityChange, 'integrationId' | 'identity' | 'before' | 'after'>[],
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

/** Deletes the oldest entries that are older than `before`. Returns their number. */
export const deleteHistoryBefore = (database: Database, before: Date, limit: number): Promise<number> =>
  database('identity_history').where('changed_at', '<', before).orderBy('changed_at').limit(limit).delete();

/** Deletes uploads with an acceptance number below this one, lowest first. Returns their number. */
export const deleteUploadsBelow = (database: Database, acceptance: number, limit: number): Promise<number> =>
  database('identity_uploads')
    .where('acceptance', '<', acceptance)
    .orderBy('acceptance')
    .limit(limit)
    .delete();
