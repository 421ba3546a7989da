/** One fault as the API shows it; `line` is physical and counts from 1, null where no line can be named. */
export interface LineError {
  line: number | null;
  field: string | null;
  code: string;
  message: string;
}

/**
 * The file as a whole cannot be imported: it is no CSV, lacks a column, breaks off inside quotes, is too large.
 * Reading it again gives the same fault, so a job that meets one must not be retried.
 *
 * `message` is one sentence without the API's "Invalid file format: " in front of it.
 */
export class FileError extends Error {
  override readonly name = 'FileError';
  readonly code: string;
  readonly errors: LineError[];

  constructor(code: string, message: string, errors: LineError[] = []) {
    super(message);
    this.code = code;
    this.errors = errors;
  }
}

/** A fault that one line of the file shows. */
export function faultAtLine(code: string, line: number, message: string): FileError {
  return new FileError(code, `line ${line}: ${message}`, [{ line, field: null, code, message }]);
}
