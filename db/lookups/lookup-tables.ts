import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import type { KeyRules } from './lookup-keys.js';

/*
 * A lookup table has revisions, and each revision has rows. A revision never changes, and its number is never used again. At most one is active.
 */

/** A lookup table with its active revision. */
export interface LookupTable extends KeyRules {
  id: number;
  name: string;
  /** The number of the active revision. */
  revision: number;
  keyColumns: string[];
  /** The names of all columns, in the order of the upload. */
  columns: string[];
  rowCount: number;
  /** Over all that the revision contains, in hexadecimal. */
  digest: string;
  /** The acceptance number of what made the revision the active one: an upload, or a person after it. */
  acceptance: number;
  /** When the revision became the active one. */
  updatedAt: Date;
  /** Where the file is kept from which it comes, such as the address of a repository; null: nobody keeps one. */
  managedBy: string | null;
}

/** Returns those of the tables that have an active revision, by name. */
export async function findTables(
  database: Database,
  names: readonly string[],
): Promise<Map<string, LookupTable>> {
  const rows = names.length === 0 ? [] : await activeTables(database).whereIn('t.name', names);
  return new Map(rows.map((row) => [row.name, toTable(row)]));
}

/** Returns which of the tables got another active revision, or none, at this time or later. */
export async function findChangedTables(
  database: Database,
  names: readonly string[],
  since: Date,
): Promise<string[]> {
  if (names.length === 0) return [];
  return database('lookup_tables').whereIn('name', names).where('updated_at', '>=', since).pluck('name');
}

export async function findTable(database: Database, name: string): Promise<LookupTable | null> {
  return (await findTables(database, [name])).get(name) ?? null;
}

/** Returns a page of the tables that have an active revision, by name. */
export async function listTables(
  database: Database,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<LookupTable[]> {
  const query = activeTables(database).limit(limit);
  orderByKeyset(query, {
    columns: ['t.name'],
    order: 'asc',
    after: after === undefined ? undefined : [after],
  });
  return (await query).map(toTable);
}

export async function countTables(database: Database): Promise<number> {
  const [row] = await database('lookup_tables').whereNotNull('revision').count({ count: '*' });
  return Number(row?.count);
}

type Row = Pick<Tables['lookup_tables'], 'id' | 'name' | 'acceptance' | 'updated_at' | 'managed_by'> &
  RevisionRow;
type RevisionRow = Pick<
  Tables['lookup_revisions'],
  'revision' | 'matching' | 'key_columns' | 'columns' | 'lengths' | 'row_count' | 'digest'
>;

const activeTables = (database: Database) =>
  database('lookup_tables AS t')
    .join('lookup_revisions AS r', (on) => on.on('r.table_id', 't.id').on('r.revision', 't.revision'))
    .select<Row[]>(
      't.id',
      't.name',
      't.acceptance',
      't.updated_at',
      't.managed_by',
      'r.revision',
      'r.matching',
      'r.key_columns',
      'r.columns',
      'r.lengths',
      'r.row_count',
      'r.digest',
    );

const toTable = ({ id, name, acceptance, ...row }: Row): LookupTable => ({
  id,
  name,
  acceptance: Number(acceptance),
  updatedAt: row.updated_at,
  managedBy: row.managed_by,
  ...describeRevision(row),
});

/** Returns what a revision says about its rows. */
export const describeRevision = (row: RevisionRow) => ({
  revision: row.revision,
  matching: row.matching,
  keyColumns: parseNames(row.key_columns),
  columns: parseNames(row.columns),
  lengths: row.lengths === null ? [] : parseNumbers(row.lengths),
  rowCount: row.row_count,
  digest: row.digest.toString('hex'),
});

const parseNames = (text: string): string[] => JSON.parse(text);
const parseNumbers = (text: string): number[] => JSON.parse(text);
