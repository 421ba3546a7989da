import type { Knex } from 'knex';
import { toUuidBinary } from '../../bulk/uuid-binary.js';
import type { Database } from '../../client/connect.js';
import { executePrepared } from '../../client/statement.js';
import type { IdentityKey } from '../key-order.js';
import { listsOf } from '../key-order.js';
import { ENTRY_COLUMNS } from './entry-columns.js';

/** An upload and who sent it. */
export interface UploadAuthor {
  /** The acceptance number of the upload. */
  acceptance: number;
  jobId: string;
  apiKeyId: string;
}

/**
 * Enters an upload whose number accounts are about to get as `created_by`, in the same transaction. Several transactions may enter it: each
 * waits until the first has ended.
 */
export async function enterUpload(
  transaction: Knex.Transaction,
  { acceptance, jobId, apiKeyId }: UploadAuthor,
): Promise<void> {
  await executePrepared(
    transaction,
    'INSERT IGNORE INTO identity_uploads (acceptance, job_id, api_key_id) VALUES (?, ?, ?)',
    [String(acceptance), toUuidBinary(jobId), toUuidBinary(apiKeyId)],
  );
}

/**
 * Selects the first entries of accounts whose owner has never changed, in the form of {@link ENTRY_COLUMNS}: the account itself holds its
 * entry. A worker of a release without `created_by` changes an owner and leaves the column as it is, but then the times differ.
 */
export const creationEntries = (database: Database): Knex.QueryBuilder =>
  database('identities')
    .join('identity_uploads', 'identity_uploads.acceptance', 'identities.created_by')
    .where('updated_at', database.ref('created_at'))
    .select('integration_id', 'identity', 'created_at AS changed_at', 'job_id', 'api_key_id')
    .select(database.raw('NULL AS email_before'), 'email AS email_after');

/** Copies the first entries of accounts into the history, in the transaction that changes their owners and before it does so. */
export async function copyCreations(
  transaction: Knex.Transaction,
  keys: readonly IdentityKey[],
): Promise<void> {
  for (const { integrationId, identities } of listsOf(keys)) {
    const entries = creationEntries(transaction)
      .where({ integration_id: integrationId })
      .whereIn('identity', identities);
    await transaction.into(transaction.raw('identity_history (??)', [ENTRY_COLUMNS])).insert(entries);
  }
}
