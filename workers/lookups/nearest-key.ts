import type { Database } from '../../db/client/connect.js';
import { findLookupRows } from '../../db/lookups/lookup-rows.js';
import type { LookupTable } from '../../db/lookups/lookup-tables.js';

/** How a key is often written in another system. */
const VARIANTS: readonly ((text: string) => string)[] = [
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) => text.replaceAll('_', '-'),
  (text) => text.replaceAll('-', '_'),
  (text) => text.replace(/\s+/g, '-').toLowerCase(),
  // Without its domain, its port, its path or what is in front of it.
  (text) => text.replace(/[.:/@].*$/s, ''),
  (text) => text.replace(/^.*[/:@]/, ''),
  (text) => text.replace(/[.:/@].*$/s, '').toLowerCase(),
  // Without the ending of an instance: `shop-7f9c-x2x4z`, `db-1`.
  (text) => text.replace(/(?:[-_.]|(?<!\d))\d+$/, ''),
  (text) => text.replace(/(?:-[a-z0-9]{4,10}){1,2}$/, ''),
];

/** Returns the key of the row that was probably meant by a key that has none; null if no row has a similar key. */
export async function nearestKey(
  database: Database,
  table: LookupTable,
  key: string,
): Promise<string | null> {
  const parts = partsOf(key);
  const variants = new Set(VARIANTS.map((vary) => (parts ? JSON.stringify(parts.map(vary)) : vary(key))));
  variants.delete(key);
  variants.delete('');
  const rows = await findLookupRows(database, table, [...variants]);
  for (const variant of variants) {
    const row = rows.get(variant);
    if (row) return row.key;
  }
  return null;
}

/** Returns the texts of a key of several columns; null if it is one text. */
function partsOf(key: string): string[] | null {
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : null;
  } catch {
    return null;
  }
}
