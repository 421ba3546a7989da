import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** The values of filters by name. A filter without values does not filter; several mean any of them. */
export type Filters<Name extends string> = Record<Name, readonly string[]>;

/** Reads the filters that a page knows from its address. */
export function readFilters<Name extends string>(
  parameters: URLSearchParams,
  names: readonly Name[],
): Filters<Name> {
  const valuesOf = (name: Name) => parameters.getAll(name).filter((value) => value !== '');
  return Object.fromEntries(names.map((name) => [name, valuesOf(name)])) as unknown as Filters<Name>;
}

/** Returns the parameters with some filters changed. Filters without values are removed, other parameters stay. */
export function withFilters(parameters: URLSearchParams, changes: Partial<Filters<string>>): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  for (const [name, values] of Object.entries(changes)) {
    changed.delete(name);
    for (const value of new Set(values?.map((text) => text.trim()))) if (value) changed.append(name, value);
  }
  return changed;
}

/** Returns how many of the filters are set. */
export const countSet = (filters: Filters<string>): number =>
  Object.values(filters).filter((values) => values.length > 0).length;

/** Returns the only value of a filter that takes one; an empty text without a value. */
export const onlyValue = (values: readonly string[] | undefined): string => values?.[0] ?? '';

/** Returns a time as the value of a `datetime-local` input, in UTC or in the time zone of the browser; an empty text if it is invalid. */
export function toLocalInput(iso: string, zone?: 'UTC'): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  if (zone === 'UTC') return time.toISOString().replace(/^\+0*/, '').slice(0, -':00.000Z'.length);
  const [year, ...rest] = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  const date = [String(year).padStart(4, '0'), ...rest.map(twoDigits)].join('-');
  return `${date}T${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** Returns the value of such an input as the API expects it, or an empty text if it is invalid. */
export function fromLocalInput(text: string, zone?: 'UTC'): string {
  const time = new Date(zone === 'UTC' ? `${text}Z` : text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');

export interface ChangeOptions {
  /** Whether "Back" in the browser undoes the change. */
  isStep?: boolean;
}

/** Keeps a page's filters in its address, so that they survive a reload and can be shared. */
export function useUrlFilters<Name extends string>(names: readonly Name[]) {
  const [parameters, setParameters] = useSearchParams();
  const change = useCallback(
    (changes: Partial<Filters<Name>>, { isStep = false }: ChangeOptions = {}) =>
      setParameters((now) => withFilters(now, changes as Partial<Filters<string>>), { replace: !isStep }),
    [setParameters],
  );
  const clear = useCallback(
    () => change(Object.fromEntries(names.map((name) => [name, []])) as unknown as Filters<Name>),
    [change, names],
  );
  return { filters: readFilters(parameters, names), change, clear };
}
