import { tableAddress } from '../tables/use-table.ts';

/** Returns the address of the page of a table that shows the row of a key. */
export const rowAddress = (table: string, key: string): string =>
  `${tableAddress(table)}?${new URLSearchParams(partsOfKey(key).map((part) => ['key', part]))}`;

/** Returns the texts of a key: the API gives a key of several columns as a JSON array. */
export function partsOfKey(key: string): readonly string[] {
  if (!key.startsWith('["')) return [key];
  try {
    const parts: unknown = JSON.parse(key);
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : [key];
  } catch {
    return [key];
  }
}
