import type { MappingError } from './mapping-error.js';

/** Compiles a value map. Adds an error for each text that is listed more than once. */
export function compileValues(
  at: string,
  values: Record<string, string>,
  errors: MappingError[],
): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const [from, to] of Object.entries(values)) {
    const key = foldValue(from);
    if (map.has(key)) {
      const message = `"${from}" is listed more than once; case and surrounding spaces do not count`;
      errors.push({ field: at, code: 'repeated_value', message });
    }
    map.set(key, to);
  }
  return map;
}

/** Returns the key of a text in a value map, which ignores case and surrounding spaces. */
export const foldValue = (value: string): string => value.trim().toLowerCase();
