import { isLosslessNumber } from 'lossless-json';
import type { JsonValue } from '../../mapping/index.js';
import { SourceError } from './source-error.js';

/** Returns the value at a path of keys and of positions in lists, such as `profile.emails.0`. The key of that whole name comes first. Empty: the value itself. */
export function valueAt(value: JsonValue | undefined, path: string): JsonValue | undefined {
  if (path === '') return value;
  const whole = memberOf(value, path);
  if (whole !== undefined) return whole;
  return path.split('.').reduce(memberOf, value);
}

function memberOf(value: JsonValue | undefined, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(key) ? value[Number(key)] : undefined;
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Returns a value as a cell; null: it is a list or an object. */
export function cellOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' && !isLosslessNumber(value) ? null : String(value);
}

/**
 * Returns the cells of an item.
 * @param position of the item in the whole list, from 1
 * @throws SourceError `invalid_content`
 */
export function rowOf(item: JsonValue, columns: readonly string[], position: number): string[] {
  if (typeof item !== 'object' || item === null || Array.isArray(item) || isLosslessNumber(item))
    throw new SourceError(
      'invalid_content',
      `Item ${position} of the list is not an object. Check \`json.items\`.`,
    );
  return columns.map((column) => {
    const cell = cellOf(valueAt(item, column));
    if (cell !== null) return cell;
    throw new SourceError(
      'invalid_content',
      `Item ${position} of the list has an object or a list at ${column}. Use the path to one value in it, such as ${column}.0 or ${column}.value.`,
    );
  });
}
