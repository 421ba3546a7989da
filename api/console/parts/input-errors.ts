import { RequestFailure } from '../http/request-failure.ts';

/**
 * What a refused form has to say at its inputs, by their names in the API. `hasOthers`: there is something to say that
 * belongs to none of them, and must be said elsewhere.
 */
export function inputFaults<Name extends string>(error: unknown, names: readonly Name[]) {
  const faults = error instanceof RequestFailure ? error.faults : [];
  const isOwn = (field: string | null) => names.some((name) => name === field);
  return {
    at: (name: Name): string | undefined => faults.find(({ field }) => field === name)?.message,
    hasOthers: error !== null && (faults.length === 0 || faults.some(({ field }) => !isOwn(field))),
  };
}
