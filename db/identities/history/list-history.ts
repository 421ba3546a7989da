import { fromUuidBinary, toUuidBinary } from '../../bulk/uuid-binary.js';
import type { Database } from '../../client/connect.js';
import { orderByKeyset } from '../../client/keyset.js';
import { selectWithin } from '../../client/limit-time.js';
import type { IdentityKey } from '../key-order.js';
import { creationEntries } from './creations.js';
import { ENTRY_COLUMNS } from './entry-columns.js';

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

interface Page {
  limit: number;
  /** Start after this entry. */
  after: HistoryPlace | undefined;
  /** Leave out older entries. */
  since: Date;
  /** The most time that the database may take, in milliseconds; see `isTooSlow`. */
  withinMs: number;
}

/**
 * Returns a page of an account's history, newest first. One statement reads the recorded entries and the one that the account itself
 * holds, so none is missing or doubled if the account changes at the same time.
 */
export async function listHistory(
  database: Database,
  { integrationId, identity }: IdentityKey,
  { limit, after, since, withinMs }: Page,
): Promise<HistoryEntry[]> {
  const key = { integration_id: integrationId, identity };
  const keyset = {
    columns: ['changed_at', 'job_id'],
    order: 'desc',
    after: after && [after.changedAt.slice(0, -1).replace('T', ' '), toUuidBinary(after.jobId)],
  } as const;
  const recorded = database('identity_history').where(key).select(ENTRY_COLUMNS).limit(limit);
  const entries = database
    .queryBuilder()
    .unionAll([orderByKeyset(recorded, keyset), creationEntries(database).where(key)], true);
  const query = database
    .from(entries.as('entries'))
    .where('changed_at', '>=', since)
    .select('job_id', 'api_key_id', 'email_before', 'email_after')
    // The driver would return a Date, which has milliseconds only.
    .select(database.raw('CAST(changed_at AS CHAR) AS changed_at_text'))
    .limit(limit);
  const rows = await selectWithin<HistoryRow>(database, orderByKeyset(query, keyset), withinMs);
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
