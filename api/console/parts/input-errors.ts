import { RequestFailure } from '../http/request-failure.ts';

/**
 * Assigns the errors of a rejected form to its inputs, by their names in the API. `hasOthers` is true if there are errors
 * that belong to none of the inputs and must be shown elsewhere.
 */
export function inputErrors<Name extends string>(error: unknown, names: readonly Name[]) {
  const errors = error instanceof RequestFailure ? error.errors : [];
  const isOwn = (field: string | null) => names.some((name) => name === field);
  return {
    at: (name: Name): string | undefined => errors.find(({ field }) => field === name)?.message,
    hasOthers: error !== null && (errors.length === 0 || errors.some(({ field }) => !isOwn(field))),
  };
}
