import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';
import type { ActorKind, Members, ObjectKind } from './entry.js';

export interface AuditEntry {
  id: string;
  at: Date;
  actor: { kind: ActorKind; id: string | null; name: string };
  action: string;
  object: { kind: ObjectKind; id: string | null; name: string | null };
  before: Members | null;
  after: Members | null;
  requestId: string | null;
  address: string | null;
}

/** An entry matches if it matches every given filter. It matches a list if it matches any of its values. */
export interface AuditFilters {
  actorKind?: string | readonly string[] | undefined;
  /** The id of a key, a link or a person. */
  actorId?: string | undefined;
  action?: string | readonly string[] | undefined;
  objectKind?: string | readonly string[] | undefined;
  objectId?: string | undefined;
  requestId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/**
 * Returns a page of the audit log, newest first.
 * @throws an error for which `isTooSlow` is true after `withinMs`
 */
export async function listAudit(
  database: Database,
  filters: AuditFilters,
  {
    limit,
    after,
    withinMs,
  }: { limit: number; after: { at: Date; id: string } | undefined; withinMs: number },
): Promise<AuditEntry[]> {
  const query = selectEntries(database, filters).limit(limit);
  orderByKeyset(query, { columns: ['at', 'id'], order: 'desc', after: after && [after.at, after.id] });
  return (await selectWithin<Tables['audit_entries']>(database, query, withinMs)).map(toEntry);
}

/** Entries by the same kind of actor with the same action on the same kind of objects. */
export interface AuditCount {
  actorKind: ActorKind;
  action: string;
  objectKind: ObjectKind;
  entries: number;
  /** When the first of them was written. */
  oldest: Date;
}

/** So many entries are counted at most. */
export const MAX_COUNTED_ENTRIES = 20_000;

/**
 * Counts the newest entries that match, by kind of actor, action and kind of object.
 * @throws an error for which `isTooSlow` is true after `withinMs`
 */
export async function countAudit(
  database: Database,
  filters: AuditFilters,
  withinMs: number,
): Promise<AuditCount[]> {
  const newest = selectEntries(database, filters)
    .select('actor_kind', 'action', 'object_kind', 'at')
    .orderBy('at', 'desc')
    .limit(MAX_COUNTED_ENTRIES);
  const query = database
    .queryBuilder()
    .from(newest.as('newest'))
    .groupBy('actor_kind', 'action', 'object_kind')
    .select({ actorKind: 'actor_kind', action: 'action', objectKind: 'object_kind' })
    .count({ entries: '*' })
    .min({ oldest: 'at' });
  const rows = await selectWithin<AuditCount>(database, query, withinMs);
  return rows.map((row) => Object.assign(row, { entries: Number(row.entries) }));
}

const COLUMNS = [
  ['actor_kind', 'actorKind'],
  ['action', 'action'],
  ['object_kind', 'objectKind'],
] as const;

function selectEntries(database: Database, filters: AuditFilters): Knex.QueryBuilder {
  const query = database('audit_entries');
  for (const [column, name] of COLUMNS) {
    const values = filters[name];
    if (values !== undefined) query.whereIn(column, [values].flat());
  }
  const { actorId, objectId, requestId, from, to } = filters;
  if (actorId !== undefined) query.where('actor_id', actorId);
  if (objectId !== undefined) query.where('object_id', objectId);
  if (requestId !== undefined) query.where('request_id', requestId);
  if (from) query.where('at', '>=', from);
  if (to) query.where('at', '<', to);
  return query;
}

const toEntry = (row: Tables['audit_entries']): AuditEntry => ({
  id: row.id,
  at: row.at,
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  action: row.action,
  object: { kind: row.object_kind, id: row.object_id, name: row.object_name },
  before: row.old_members === null ? null : JSON.parse(row.old_members),
  after: row.new_members === null ? null : JSON.parse(row.new_members),
  requestId: row.request_id,
  address: row.address,
});
