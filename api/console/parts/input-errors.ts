import { RequestFailure } from '../http/request-failure.ts';

/**
 * What a refused form has to say at its inputs, by their names in the API. `hasOthers`: there is something to say that
 * belongs to none of them, and must be said elsewhere.
 */
export function inputErrors<Name extends string>(error: unknown, names: readonly Name[]) {
  const errors = error instanceof RequestFailure ? error.errors : [];
  const isOwn = (field: string | null) => names.some((name) => name === field);
  return {
    at: (name: Name): string | undefined => errors.find(({ field }) => field === name)?.message,
    hasOthers: error !== null && (errors.length === 0 || errors.some(({ field }) => !isOwn(field))),
  };
}
