import type { ErrorDetail } from '../../http/request-failure.ts';
import type { Mapping } from '../../http/types.ts';
import type { ErrorPlace } from '../expression-editor/error-marks.ts';

/**
 * Returns where an error belongs: `fields.severity`, `custom.zone`, `lookups.service`, or another key of the mapping such as `split`. Returns
 * an empty text for the mapping as a whole.
 */
export function placeOf({ field }: Pick<ErrorDetail, 'field'>): string {
  const [kind = '', name] = (field ?? '').split('.');
  return (kind === 'fields' || kind === 'custom' || kind === 'lookups') && name ? `${kind}.${name}` : kind;
}

/** Groups the errors of a rejected mapping by the place where they are shown. */
export function errorsByField(errors: readonly ErrorDetail[]): Map<string, ErrorDetail[]> {
  const byField = new Map<string, ErrorDetail[]>();
  for (const error of errors) {
    const place = placeOf(error);
    byField.set(place, [...(byField.get(place) ?? []), error]);
  }
  return byField;
}

/** Returns the mapping without the parts that have errors, for a preview of the rest. Returns null if no part can be left out. */
export function withoutErrors(mapping: Mapping, errors: readonly ErrorDetail[]): Mapping | null {
  const places = new Set(errors.map(placeOf));
  const without = <Value>(kind: string, entries: Record<string, Value>) =>
    Object.fromEntries(
      Object.entries(entries).filter(([name]) => !places.has(kind ? `${kind}.${name}` : name)),
    );
  const rest = without('', { split: mapping.split, expandJson: mapping.expandJson, filter: mapping.filter });
  const fields = without('fields', mapping.fields);
  const custom = without('custom', mapping.custom ?? {});
  const lookups = mapping.lookups && without('lookups', mapping.lookups);
  const count = (...parts: object[]) =>
    parts.reduce<number>((sum, part) => sum + Object.keys(part).length, 0);
  const all = count(
    { split: 0, expandJson: 0, filter: 0 },
    mapping.fields,
    mapping.custom ?? {},
    mapping.lookups ?? {},
  );
  return count(rest, fields, custom, lookups ?? {}) === all
    ? null
    : { ...rest, fields, custom, ...(lookups && { lookups }) };
}

/** Returns the positions of those errors that have one. */
export const placesOf = (errors: readonly ErrorDetail[]): ErrorPlace[] =>
  errors.flatMap(({ line, column, message }) =>
    line === undefined || column === undefined ? [] : [{ line, column, message }],
  );
