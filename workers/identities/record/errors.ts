import { counted, wholeNumber } from '../../text/quantities.js';

/** Why a value is invalid: a stable snake_case `code`, and a `message` that completes "`email`: …". */
export interface ValueError {
  readonly code: string;
  readonly message: string;
}

/** Returns the error of a field that was not sent. */
export const missing = (field: string): ValueError => ({ code: `${field}_missing`, message: 'is required' });

/** Returns the error of a field without content. */
export const empty = (field: string): ValueError => ({
  code: `${field}_missing`,
  message: 'must not be empty',
});

/** One error of a row, or of a record in a JSON upload. */
export interface RowError extends ValueError {
  /** The field, or null if the row as a whole is invalid. */
  readonly field: string | null;
}

/** Returns the errors among the checked values of fields. */
export const errorsOf = (checked: Record<string, string | number | ValueError>): RowError[] =>
  Object.entries(checked).flatMap(([field, result]) =>
    typeof result === 'object' ? [{ field, ...result }] : [],
  );

/** An error of a file; `line` is a physical line, from 1, or null if no line can be named. */
export interface LineError extends RowError {
  readonly line: number | null;
}

/** A column of a file whose header is not understood, and the field that it contains or may contain. */
export interface ColumnCandidate {
  column: string;
  field: 'email' | 'integrationId' | 'identity' | null;
}

/**
 * The file as a whole cannot be imported: it is not a CSV file, lacks a column, ends inside quotes, or is too large.
 * Reading it again fails in the same way, so a job must not be retried after this error.
 *
 * `message` is one sentence. The API puts "Invalid file format: " in front of it.
 */
export class FileError extends Error {
  override readonly name: string = 'FileError';
  readonly code: string;
  readonly errors: readonly LineError[];
  /** If the header is not understood: its columns. */
  readonly candidates: ColumnCandidate[] | undefined;
  /** The number of all errors, if `errors` has only the first ones. */
  readonly errorCount: number;

  constructor(
    code: string,
    message: string,
    errors: readonly LineError[] = [],
    { candidates, errorCount = errors.length }: { candidates?: ColumnCandidate[]; errorCount?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.errors = errors;
    this.candidates = candidates;
    this.errorCount = errorCount;
  }

  /** The errors as a job reports them: without the line if none can be named. */
  get details(): (RowError & { line?: number })[] {
    return this.errors.map(({ line, ...error }) => (line === null ? error : { line, ...error }));
  }
}

/** Returns how many rows of an upload are invalid, and the first error: "3 of 1,204 rows are invalid. Line 3, `email`: must be …". */
export function describeInvalidRows(
  invalid: number,
  rows: number,
  first: { line?: number | null; index?: number; field: string | null; message: string } | undefined,
): string {
  const place = first?.line == null ? `Record ${first?.index}` : `Line ${first.line}`;
  return (
    `${wholeNumber(invalid)} of ${counted(rows, 'row')} ${invalid === 1 ? 'is' : 'are'} invalid. ` +
    `${place}${first?.field ? `, \`${first.field}\`` : ''}: ${first?.message}`
  );
}

/** Returns the error of a file that is invalid at one line. */
export function fileErrorAt(line: number, { code, message }: ValueError): FileError {
  return new FileError(code, `line ${line}: ${message}`, [{ line, field: null, code, message }]);
}
