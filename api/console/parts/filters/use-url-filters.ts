import { useCallback } from 'react';
import { useSearchParams } from 'wouter';
import { type Filters, readFilters, withFilters } from './url-filters.ts';

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
