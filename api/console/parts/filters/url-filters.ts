/** Filters by name. An empty value does not filter. */
export type Filters<Name extends string> = Record<Name, string>;

/** Reads the filters that a page knows from its address. */
export function readFilters<Name extends string>(
  parameters: URLSearchParams,
  names: readonly Name[],
): Filters<Name> {
  return Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) as Filters<Name>;
}

/** Returns the parameters with some filters changed. Empty filters are removed, other parameters stay. */
export function withFilters(parameters: URLSearchParams, changes: Record<string, string>): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(changes)) {
    if (value.trim() === '') changed.delete(name);
    else changed.set(name, value.trim());
  }
  return changed;
}

/** Returns how many of the filters are set. */
export const countSet = (filters: Record<string, string>): number =>
  Object.values(filters).filter((value) => value !== '').length;

/** Returns a time as the value of a `datetime-local` input, in the user's time zone, or an empty text if it is invalid. */
export function toLocalInput(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  const [year, ...rest] = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  const date = [String(year).padStart(4, '0'), ...rest.map(twoDigits)].join('-');
  return `${date}T${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** Returns the value of such an input as the API expects it, or an empty text if it is invalid. */
export function fromLocalInput(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
