import type { Database } from '../../../db/client/connect.js';
import { findTables, type LookupTable } from '../../../db/lookups/lookup-tables.js';
import type { CompiledLookup, CompiledMapping, MappingWarning } from '../../../workers/mapping/index.js';

/**
 * Returns why the lookups of a valid mapping find nothing in the tables as they are. No errors: a mapping may be saved before its tables are uploaded,
 * and events are mapped whatever is found.
 */
export async function lookupWarnings(
  database: Database,
  { lookups }: Pick<CompiledMapping, 'lookups'>,
): Promise<MappingWarning[]> {
  const names = lookups.flatMap(({ place }) => ('table' in place ? place.table : []));
  const tables = await findTables(database, [...new Set(names)]);
  return lookups.flatMap((lookup) =>
    'table' in lookup.place
      ? warningsOf(lookup, lookup.place.table, tables.get(lookup.place.table))
      : unknownColumns(lookup, OF_OWNER, 'the owner of an account'),
  );
}

const OF_OWNER = ['email'];

function warningsOf(
  lookup: CompiledLookup,
  tableName: string,
  table: LookupTable | undefined,
): MappingWarning[] {
  const { key } = lookup;
  const field = `lookups.${lookup.name}`;
  if (!table) {
    const message = `there is no lookup table ${tableName} yet, so this finds nothing: upload it, or correct its name`;
    return [{ field, code: 'unknown_table', message }];
  }
  const warnings: MappingWarning[] = [];
  if (key.length !== table.keyColumns.length) {
    const message = `the lookup table ${tableName} has the key ${table.keyColumns.join(', ')}, so this finds nothing: write one text for each of these columns`;
    warnings.push({ field, code: 'wrong_key_columns', message });
  }
  return [...warnings, ...unknownColumns(lookup, table.columns, `the lookup table ${tableName}`)];
}

const unknownColumns = (
  { name, columns: read }: CompiledLookup,
  columns: readonly string[],
  place: string,
): MappingWarning[] =>
  [...(read ?? [])]
    .filter((column) => !isKnown(column, read ?? new Set(), columns))
    .map((column) => ({
      field: `lookups.${name}`,
      code: 'unknown_column',
      message: `${place} has no column ${column}; it has ${columns.join(', ')}`,
    }));

/** `lookup.a.b.c` reads the column `b` or `b.c`: it is enough that the table has one of them. */
const isKnown = (column: string, all: ReadonlySet<string>, columns: readonly string[]): boolean =>
  columns.includes(column) ||
  columns.some((known) => known.startsWith(`${column}.`) && all.has(known)) ||
  columns.some((known) => column.startsWith(`${known}.`) && all.has(known));
