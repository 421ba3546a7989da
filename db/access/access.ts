import type { Database } from '../client/connect.js';
import type { Scope } from './api-keys.js';
import { grantsOf, type Subject } from './role-grants.js';
import { scopesOfRoles } from './roles.js';

/** For which rows a principal has a scope: for now, for all. */
export type Rows = 'every';

/** What a principal may do: the scopes that it has, each with the rows for which it has it. */
export type Access = ReadonlyMap<Scope, Rows>;

/** What a principal has besides the grants of its subjects. */
export interface Given {
  /** The scopes of an API key. */
  scopes?: readonly Scope[];
  /** The names of roles, such as those that claims of a person stand for. */
  roles?: readonly string[];
}

/**
 * Compiles what a principal may do, from what is granted to it.
 * @param subjects a key, or a person and its groups
 */
export async function compileAccess(
  database: Database,
  subjects: readonly Subject[],
  { scopes = [], roles = [] }: Given = {},
): Promise<Access> {
  const grants = await grantsOf(database, subjects);
  const names = [...roles, ...grants.map(({ role }) => role)];
  const scopesOf = await scopesOfRoles(database, names);
  const access = new Map<Scope, Rows>();
  for (const scope of [...scopes, ...names.flatMap(scopesOf)]) access.set(scope, 'every');
  return access;
}
