import type { Tables } from 'knex/types/tables.js';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import type { Database } from '../../../db/client/connect.js';
import { creationEntries } from '../../../db/identities/history/creations.js';
import { ENTRY_COLUMNS } from '../../../db/identities/history/entry-columns.js';

interface Entry {
  /** `integrationId identity` */
  key: string;
  before: string | null;
  after: string | null;
}

/** Returns the history of all accounts, by time; or what it says about one job. */
export async function readHistories(
  database: Database,
  job?: { id: string; apiKeyId: string },
): Promise<Entry[]> {
  const of = job ? { job_id: toUuidBinary(job.id), api_key_id: toUuidBinary(job.apiKeyId) } : {};
  const rows = await database('identity_history')
    .where(of)
    .select<Tables['identity_history'][]>(ENTRY_COLUMNS)
    .unionAll([creationEntries(database).where(of)])
    .orderBy(['changed_at', 'job_id']);
  return rows.map((row) => ({
    key: `${row.integration_id} ${row.identity}`,
    before: row.email_before,
    after: row.email_after,
  }));
}

/** Returns changes in an order and a form to compare: `integrationId identity: before > after`; a missing owner is empty. */
export const entryLines = (changes: readonly Entry[]): string[] =>
  changes
    .filter(({ before, after }) => before !== after)
    .map(({ key, before, after }) => `${key}: ${before ?? ''} > ${after ?? ''}`)
    .sort();
