import { BODY, summary } from './error-details.js';
import { badRequest, RequestError } from './errors.js';

/** Runs checks of a body that do not depend on each other. Returns the errors that they throw because of the body. */
export function faultsIn(...checks: readonly (() => unknown)[]): RequestError[] {
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      if (error instanceof RequestError && error.status === 400) return error;
      throw error;
    }
  });
}

/** @throws RequestError 400 with all faults at once */
export function throwFaults(faults: readonly RequestError[]): void {
  const [first] = faults;
  if (!first) return;
  if (faults.length === 1) throw first;
  const errors = faults.flatMap(({ details }) => details.errors ?? []);
  throw badRequest('invalid_body', summary(BODY, errors), errors);
}
