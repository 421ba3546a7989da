import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { sqlNow } from '../client/now.js';
import { SCOPES, type Scope } from './api-keys.js';

const VIEWER = [
  'webhooks:read',
  'alerts:read',
  'destinations:read',
  'tables:read',
] as const satisfies Scope[];

/**
 * The roles that every Muster has, each a list of scopes. Only `importer` and `admin` read identities, because those are personal data of the
 * owners of accounts.
 */
export const BUILT_IN_ROLES: Readonly<Record<string, readonly Scope[]>> = {
  viewer: VIEWER,
  responder: [...VIEWER, 'alerts:write', 'destinations:replay'],
  author: [...VIEWER, 'webhooks:write', 'destinations:write', 'tables:write'],
  importer: ['developer_records:read', 'developer_records:write'],
  admin: SCOPES,
};

export interface Role {
  name: string;
  scopes: Scope[];
  isBuiltIn: boolean;
  /** Null for a built-in role. */
  updatedAt: Date | null;
}

export const isBuiltIn = (name: string): boolean => Object.hasOwn(BUILT_IN_ROLES, name);

/** Returns all roles: the built-in ones, then the others by name. */
export async function listRoles(database: Database): Promise<Role[]> {
  const own = await database('roles').orderBy('name');
  return [...Object.keys(BUILT_IN_ROLES).map(builtIn), ...own.map(toRole)];
}

/** Returns a role, or null if there is none of this name. */
export async function findRole(database: Database, name: string): Promise<Role | null> {
  if (isBuiltIn(name)) return builtIn(name);
  const row = await database('roles').where({ name }).first();
  return row ? toRole(row) : null;
}

/** Returns the scopes of each of these roles. A role that does not exist has none. */
export async function scopesOfRoles(
  database: Database,
  names: readonly string[],
): Promise<(name: string) => readonly Scope[]> {
  const own = [...new Set(names.filter((name) => !isBuiltIn(name)))];
  const rows = own.length === 0 ? [] : await database('roles').whereIn('name', own);
  const known = new Map(rows.map((row) => [row.name, toRole(row).scopes]));
  return (name) => (isBuiltIn(name) ? BUILT_IN_ROLES[name] : known.get(name)) ?? [];
}

export async function countOwnRoles(database: Database): Promise<number> {
  const [row] = await database('roles').count({ count: '*' });
  return Number(row?.count);
}

/** What makes a role: its name and its scopes. */
export type NewRole = Pick<Role, 'name' | 'scopes'>;

/** Creates a role. @throws an error for which `isDuplicateKey` is true if there is one of this name */
export async function insertRole(transaction: Knex.Transaction, { name, scopes }: NewRole): Promise<void> {
  const now = sqlNow(transaction);
  await transaction('roles').insert({ name, scopes: scopes.join(','), created_at: now, updated_at: now });
}

/** Replaces the scopes of a role, if it exists. */
export async function updateRole(transaction: Knex.Transaction, { name, scopes }: NewRole): Promise<void> {
  await transaction('roles')
    .where({ name })
    .update({ scopes: scopes.join(','), updated_at: sqlNow(transaction) });
}

/** Deletes a role that has no grant. Returns whether it has one, or was deleted; null if there is no such role. */
export async function deleteRole(
  transaction: Knex.Transaction,
  name: string,
): Promise<'deleted' | 'granted' | null> {
  // A grant locks the row of its role as well, so none is made meanwhile.
  if (!(await transaction('roles').where({ name }).first('name').forUpdate())) return null;
  if (await transaction('role_grants').where({ role: name }).first('id')) return 'granted';
  await transaction('roles').where({ name }).delete();
  return 'deleted';
}

const builtIn = (name: string): Role => ({
  name,
  scopes: [...(BUILT_IN_ROLES[name] ?? [])],
  isBuiltIn: true,
  updatedAt: null,
});

/** A scope that this release does not know gives nothing. */
const toRole = (row: Tables['roles']): Role => ({
  name: row.name,
  scopes: SCOPES.filter((scope) => row.scopes.split(',').includes(scope)),
  isBuiltIn: false,
  updatedAt: row.updated_at,
});
