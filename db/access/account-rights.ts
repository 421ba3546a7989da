import type { Database } from '../client/connect.js';
import { type DatabaseRole, RIGHTS } from './grants.js';

/** How the rights of an account differ from those of its role, such as `INSERT ON jobs`. */
export interface RightsDifference {
  missing: string[];
  excess: string[];
}

interface Grant {
  rights: string[];
  /** `*`, or a pattern of database names. */
  schema: string;
  /** `*`, or the name of a table. */
  table: string;
}

/** Both servers describe a grant in this form. What follows may contain a hash of the password, and is not kept. */
const GRANT = /^GRANT (.+?) ON (.*)/i;
const OBJECT = /^(?:TABLE )?(\*|`(?:[^`]|``)+`)\.(\*|`(?:[^`]|``)+`) TO /i;
const EVERYTHING = new Set(['ALL PRIVILEGES', 'ALL']);

/** Compares the rights of the connected account with those that `grantRights` gives to a role. */
export async function compareRights(database: Database, role: DatabaseRole): Promise<RightsDifference> {
  const [[{ name }]] = await database.raw('SELECT DATABASE() AS name');
  const [rows = []] = await database.raw<[Record<string, string>[]]>('SHOW GRANTS');
  const grants = rows.flatMap((row) => parseGrant(Object.values(row)[0] ?? ''));
  const needed = neededBy(role);
  const missing = needed.filter((need) => !grants.some((grant) => covers(grant, name, need)));
  const excess = grants.flatMap((grant) => excessOf(grant, name, needed));
  return { missing: missing.map(textOf), excess: [...new Set(excess)] };
}

interface Need {
  right: string;
  table: string;
}

const neededBy = (role: DatabaseRole): Need[] => [
  { right: 'SELECT', table: '*' },
  ...Object.entries(RIGHTS[role]).flatMap(([table, rights]) =>
    rights.split(', ').map((right) => ({ right, table })),
  ),
];

const textOf = ({ right, table }: Need): string => `${right} ON ${table}`;

/** Returns no grant for a text of another kind, such as a role that the account has. */
function parseGrant(text: string): Grant[] {
  const [, rights, rest = ''] = GRANT.exec(text) ?? [];
  const [, schema, table] = OBJECT.exec(rest) ?? [];
  if (!rights || !schema || !table) return [];
  return [{ rights: rights.toUpperCase().split(/,\s*/), schema: unquoted(schema), table: unquoted(table) }];
}

const unquoted = (name: string): string =>
  name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name;

const covers = ({ rights, schema, table }: Grant, name: string, need: Need): boolean =>
  isPatternOf(schema, name) &&
  (table === '*' || table === need.table) &&
  rights.some((right) => right === need.right || EVERYTHING.has(right));

/** Returns the rights of a grant that the role does not need. */
function excessOf({ rights, schema, table }: Grant, name: string, needed: readonly Need[]): string[] {
  const isOwn = schema !== '*' && isPatternOf(schema, name);
  const isNeeded = (right: string): boolean =>
    isOwn && (right === 'SELECT' || needed.some((need) => need.right === right && need.table === table));
  return rights
    .filter((right) => right !== 'USAGE' && !isNeeded(right))
    .map((right) => `${right} ON ${isOwn ? table : `${schema}.${table}`}`);
}

/** A database's name in a grant is a pattern like that of LIKE: `%` and `_` are wildcards, and a backslash escapes them. */
function isPatternOf(pattern: string, name: string): boolean {
  if (pattern === '*') return true;
  const source = pattern.replace(/\\[%_]|[%_]|[.*+?^${}()|[\]\\]/g, (found) => {
    if (found === '%') return '.*';
    if (found === '_') return '.';
    return /^\\[%_]$/.test(found) ? found.slice(1) : `\\${found}`;
  });
  return new RegExp(`^${source}$`, 'i').test(name);
}
