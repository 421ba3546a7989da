import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { uuidv7 } from 'uuidv7';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { sqlNow } from '../client/now.js';
import { isBuiltIn } from './roles.js';

export const SUBJECT_KINDS = ['key', 'person', 'group'] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

/** Whom a role is granted to. */
export interface Subject {
  kind: SubjectKind;
  /** A UUID. */
  id: string;
}

/** A role that a subject has. */
export interface RoleGrant {
  id: string;
  subject: Subject;
  role: string;
  createdAt: Date;
  createdBy: { id: string; name: string };
}

export type NewRoleGrant = Pick<RoleGrant, 'subject' | 'role' | 'createdBy'>;

/** Grants a role. Returns the id of the grant, or null if there is no such role. */
export async function insertGrant(
  transaction: Knex.Transaction,
  { subject, role, createdBy }: NewRoleGrant,
): Promise<string | null> {
  const exists =
    isBuiltIn(role) || (await transaction('roles').where({ name: role }).first('name').forShare());
  if (!exists) return null;
  const id = uuidv7();
  await transaction('role_grants').insert({
    id,
    subject_kind: subject.kind,
    subject_id: subject.id,
    role,
    row_limit: null,
    created_at: sqlNow(transaction),
    created_by_id: createdBy.id,
    created_by_name: createdBy.name,
  });
  return id;
}

export async function findGrant(database: Database, id: string): Promise<RoleGrant | null> {
  const row = await database('role_grants').where({ id }).first();
  return row ? toGrant(row) : null;
}

export interface GrantFilters {
  subjectKind?: SubjectKind | undefined;
  subjectId?: string | undefined;
  role?: string | undefined;
}

/** Returns a page of grants, newest first. */
export async function listGrants(
  database: Database,
  { subjectKind, subjectId, role }: GrantFilters,
  { limit, after }: { limit: number; after?: { at: Date; id: string } | undefined },
): Promise<RoleGrant[]> {
  const query = database('role_grants').limit(limit);
  if (subjectKind !== undefined) query.where('subject_kind', subjectKind);
  if (subjectId !== undefined) query.where('subject_id', subjectId);
  if (role !== undefined) query.where({ role });
  const position = after && [after.at, after.id];
  orderByKeyset(query, { columns: ['created_at', 'id'], order: 'desc', after: position });
  return (await query).map(toGrant);
}

/** Returns all grants of these subjects. */
export async function grantsOf(database: Database, subjects: readonly Subject[]): Promise<RoleGrant[]> {
  if (subjects.length === 0) return [];
  const pairs = subjects.map(({ kind, id }) => [kind, id]);
  return (await database('role_grants').whereIn(['subject_kind', 'subject_id'], pairs)).map(toGrant);
}

export async function countGrants(database: Database): Promise<number> {
  const [row] = await database('role_grants').count({ count: '*' });
  return Number(row?.count);
}

/** Takes a grant back. Returns false if there is none. */
export async function deleteGrant(database: Database, id: string): Promise<boolean> {
  return (await database('role_grants').where({ id }).delete()) > 0;
}

const toGrant = (row: Tables['role_grants']): RoleGrant => ({
  id: row.id,
  subject: { kind: row.subject_kind, id: row.subject_id },
  role: row.role,
  createdAt: row.created_at,
  createdBy: { id: row.created_by_id, name: row.created_by_name },
});
