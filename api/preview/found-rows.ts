import type { Database } from '../../db/client/connect.js';
import { type FoundRows, RowFinder } from '../../workers/lookups/row-finder.js';
import type { CompiledMapping } from '../../workers/mapping/index.js';

/** One per process. */
const finders = new WeakMap<Database, RowFinder>();

/** Returns the rows that the lookups of mappings find now; null if they have none. */
export async function foundRows(
  database: Database,
  mappings: readonly (CompiledMapping | null | undefined)[],
): Promise<FoundRows | null> {
  // A preview shows whole rows.
  const lookups = mappings.flatMap(
    (mapping) => mapping?.lookups.map((lookup) => ({ ...lookup, columns: null })) ?? [],
  );
  if (lookups.length === 0) return null;
  const finder = finders.get(database) ?? new RowFinder(database);
  finders.set(database, finder);
  return finder.begin(lookups);
}
