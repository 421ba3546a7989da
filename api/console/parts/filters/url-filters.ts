/** Filters by name; what is empty does not filter. */
export type Filters<Name extends string> = Record<Name, string>;

/** The filters that a page knows, out of its address. */
export function readFilters<Name extends string>(
  parameters: URLSearchParams,
  names: readonly Name[],
): Filters<Name> {
  return Object.fromEntries(names.map((name) => [name, parameters.get(name) ?? ''])) as Filters<Name>;
}

/** The parameters with some filters changed. What is empty goes; what is not named stays. */
export function withFilters(parameters: URLSearchParams, changes: Record<string, string>): URLSearchParams {
  const changed = new URLSearchParams(parameters);
  for (const [name, value] of Object.entries(changes)) {
    if (value.trim() === '') changed.delete(name);
    else changed.set(name, value.trim());
  }
  return changed;
}

/** How many of the filters are set. */
export const countSet = (filters: Record<string, string>): number =>
  Object.values(filters).filter((value) => value !== '').length;

/** A time as an input of the kind `datetime-local` shows it, in the zone of the reader; empty when it is none. */
export function toLocalInput(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  const [year, ...rest] = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  const date = [String(year).padStart(4, '0'), ...rest.map(twoDigits)].join('-');
  return `${date}T${twoDigits(time.getHours())}:${twoDigits(time.getMinutes())}`;
}

/** What such an input says, as the API takes it; empty when it is no time. */
export function fromLocalInput(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? '' : time.toISOString();
}

const twoDigits = (number: number): string => String(number).padStart(2, '0');
