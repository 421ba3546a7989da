import type { ErrorDetail } from '../../http/request-failure.ts';
import type { ErrorPlace } from '../expression-editor/error-marks.ts';

/** Returns the positions of those errors that have one. */
export const placesOf = (errors: readonly ErrorDetail[]): ErrorPlace[] =>
  errors.flatMap(({ line, column, message }) =>
    line === undefined || column === undefined ? [] : [{ line, column, message }],
  );
