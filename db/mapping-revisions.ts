import type { Database } from './connect.js';

/** The revision that each of these integrations maps with now, deleted ones too: their events may still be queued. */
export async function currentRevisions(
  database: Database,
  webhookIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await database('webhooks').whereIn('id', webhookIds).select('id', 'mapping_revision');
  return new Map(rows.map((row) => [row.id, row.mapping_revision]));
}

/** A revision's mapping as it was saved, JSON; null when there is none. */
export async function findMapping(
  database: Database,
  webhookId: string,
  revision: number,
): Promise<string | null> {
  const row = await database('mapping_revisions').where({ webhook_id: webhookId, revision }).first('mapping');
  return row?.mapping ?? null;
}
