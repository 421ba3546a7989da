/** A value of a filter. */
export interface FilterOption {
  value: string;
  /** What is shown instead of the value. */
  label?: string;
  /** How many rows have it. */
  count?: number;
}

/**
 * Returns the options that contain a text, in any case: those that are set first, also if they are not among the options. `typed` is the text
 * itself if it can be used as a value.
 */
export function matching(
  options: readonly FilterOption[],
  values: readonly string[],
  search: string,
  isFree: boolean,
): { shown: FilterOption[]; typed: string | null } {
  const wanted = search.trim().toLowerCase();
  const known = new Map(options.map((option) => [option.value, option]));
  const set = values.map((value) => known.get(value) ?? { value });
  const others = options.filter(({ value }) => !values.includes(value));
  const textOf = ({ value, label }: FilterOption) => (label ?? value).toLowerCase();
  const shown = [...set, ...others].filter((option) => textOf(option).includes(wanted));
  const isKnown = shown.some((option) => textOf(option) === wanted);
  return { shown, typed: isFree && wanted !== '' && !isKnown ? search.trim() : null };
}
