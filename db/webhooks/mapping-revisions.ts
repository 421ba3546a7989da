import { isDeepStrictEqual } from 'node:util';
import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { type Author, authorColumns, type SaveOptions, toAuthor } from './author.js';
import { parseSilence } from './silences.js';
import { inChange } from './webhook-change.js';

/** A saved mapping. It never changes. */
export interface MappingRevision {
  revision: number;
  createdAt: Date;
  /** Null if it was saved before authors were recorded. */
  savedBy: Author | null;
}

/**
 * Returns the current revision of each integration. Includes deleted integrations, because their events may still be queued.
 */
export async function currentRevisions(
  database: Database,
  webhookIds: readonly string[],
): Promise<Map<string, { revision: number; resolveAfterMs: number | null; silenceMs: number | null }>> {
  const rows = await database('webhooks')
    .whereIn('id', webhookIds)
    .select('id', 'mapping_revision', 'resolve_after_s', 'silence');
  const toMs = (seconds: number | null | undefined) => (seconds == null ? null : seconds * 1_000);
  return new Map(
    rows.map(({ id, mapping_revision: revision, resolve_after_s: seconds, silence }) => [
      id,
      {
        revision,
        resolveAfterMs: toMs(seconds),
        silenceMs: toMs(parseSilence(silence)?.afterSeconds),
      },
    ]),
  );
}

/** Returns the JSON of a revision's mapping as it was saved, or null if there is none. */
export async function findMapping(
  database: Database,
  webhookId: string,
  revision: number,
): Promise<string | null> {
  const row = await database('mapping_revisions').where({ webhook_id: webhookId, revision }).first('mapping');
  return row?.mapping ?? null;
}

/** A mapping that may read the request of an event, as it was saved. */
export interface RequestMapping {
  webhookId: string;
  revision: number;
  mapping: string;
}

/**
 * Returns the mappings that contain the word `request`, of all integrations that are not deleted: the current revision, and the
 * first one if it comes from a template.
 */
export async function findRequestMappings(database: Database): Promise<RequestMapping[]> {
  const rows = await database('webhooks')
    .join('mapping_revisions', 'mapping_revisions.webhook_id', 'webhooks.id')
    .whereNull('webhooks.deleted_at')
    .whereRaw(
      '(mapping_revisions.revision = webhooks.mapping_revision OR (mapping_revisions.revision = 1 AND webhooks.template IS NOT NULL))',
    )
    .where('mapping_revisions.mapping', 'like', '%request%')
    .select('mapping_revisions.webhook_id', 'mapping_revisions.revision', 'mapping_revisions.mapping');
  return rows.map((row) => ({ webhookId: row.webhook_id, revision: row.revision, mapping: row.mapping }));
}

/** Returns the current mappings, as they were saved, that probably look something up in a table. */
export async function findTableMappings(
  database: Database,
  table: string,
): Promise<{ webhookId: string; name: string; revision: number; mapping: string }[]> {
  const rows = await database('webhooks AS w')
    .join('mapping_revisions AS r', (on) =>
      on.on('r.webhook_id', 'w.id').on('r.revision', 'w.mapping_revision'),
    )
    .whereNull('w.deleted_at')
    .whereRaw('LOCATE(?, r.mapping) > 0', [`"table":"${table}"`])
    .orderBy(['w.name', 'w.id'])
    .select<{ id: string; name: string; revision: number; mapping: string }[]>(
      'w.id',
      'w.name',
      'r.revision',
      'r.mapping',
    );
  return rows.map(({ id: webhookId, ...row }) => ({ webhookId, ...row }));
}

/** Returns a revision with its parsed mapping, or null if there is none. */
export async function findRevision(
  database: Database,
  webhookId: string,
  revision: number,
): Promise<(MappingRevision & { mapping: unknown }) | null> {
  const row = await database('mapping_revisions').where({ webhook_id: webhookId, revision }).first();
  return row ? { ...toRevision(row), mapping: JSON.parse(row.mapping) } : null;
}

/**
 * Returns a page of an integration's revisions without their mappings, the newest first. `before` is the last revision of
 * the previous page.
 */
export async function listRevisions(
  database: Database,
  webhookId: string,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<MappingRevision[]> {
  const query = database('mapping_revisions')
    .where({ webhook_id: webhookId })
    .select('revision', 'created_at', 'saved_by_id', 'saved_by_name')
    .limit(limit);
  const after = before === undefined ? undefined : [before];
  orderByKeyset(query, { columns: ['revision'], order: 'desc', after });
  return (await query).map(toRevision);
}

/** What saving a mapping did, and the revision that is current then. */
export interface Saved {
  outcome: 'saved' | 'unchanged' | 'conflict';
  revision: number;
}

/**
 * Saves a mapping as the current revision. A mapping that equals the current one creates no new revision, whichever
 * revision was expected. Otherwise an unexpected revision is a conflict, and nothing is saved. Returns null if the
 * integration does not exist.
 */
export async function saveMapping(
  database: Database,
  webhookId: string,
  mapping: unknown,
  { author, isExpected = () => true }: SaveOptions,
): Promise<Saved | null> {
  // Other hosts have to know what the mapping reads of a request.
  return inChange(database, async (transaction) => {
    const webhook = transaction('webhooks').where({ id: webhookId }).whereNull('deleted_at');
    const row = await webhook.clone().first('mapping_revision').forUpdate();
    if (!row) return null;
    const current = await findRevision(transaction, webhookId, row.mapping_revision);
    if (current && isDeepStrictEqual(current.mapping, mapping))
      return { outcome: 'unchanged', revision: current.revision };
    if (!isExpected(row.mapping_revision)) return { outcome: 'conflict', revision: row.mapping_revision };
    const revision = row.mapping_revision + 1;
    const now = new Date();
    const text = JSON.stringify(mapping);
    await transaction('mapping_revisions').insert({
      webhook_id: webhookId,
      revision,
      mapping: text,
      created_at: now,
      ...authorColumns(author),
    });
    await webhook.clone().update({ mapping_revision: revision, updated_at: now });
    return { outcome: 'saved', revision };
  });
}

const toRevision = (row: Omit<Tables['mapping_revisions'], 'webhook_id' | 'mapping'>): MappingRevision => ({
  revision: row.revision,
  createdAt: row.created_at,
  savedBy: toAuthor(row),
});
