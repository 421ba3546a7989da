import { createReadStream, readFileSync, statSync } from 'node:fs';
import { CsvError, parse } from 'csv-parse';
import { UploadFailure } from '../failure.js';

/** A JSON export is parsed as a whole. */
const MAX_JSON_BYTES = 256 * 1024 * 1024;

/** A row of a CSV export: its cells by column, in any case, and its physical line. */
export interface ExportRow {
  line: number;
  cell(column: string): string;
}

/**
 * Yields the rows of a CSV export, however large it is.
 * @throws UploadFailure if a column is missing, or the file cannot be read as CSV
 */
export async function* csvRows(path: string, columns: readonly string[]): AsyncGenerator<ExportRow> {
  let names: string[] = [];
  const header = (found: string[]) => {
    names = found.map((name) => name.trim().toLowerCase());
    const missing = columns.filter((column) => !names.includes(column.toLowerCase()));
    if (missing.length > 0) throw missingColumns(path, missing);
    return names;
  };
  const options = { bom: true, columns: header, info: true, skip_empty_lines: true, trim: true } as const;
  const rows = createReadStream(path)
    .on('error', (error) => rows.destroy(error))
    .pipe(parse(options));
  try {
    for await (const { record, info } of rows) {
      yield { line: info.lines as number, cell: (column) => record[column.toLowerCase()] ?? '' };
    }
  } catch (error) {
    throw unreadable(path, error as Error);
  }
  if (names.length === 0) throw missingColumns(path, columns);
}

/** Returns the failure of an export without some columns. */
const missingColumns = (path: string, missing: readonly string[]): UploadFailure =>
  new UploadFailure(`${path}, line 1: no column ${missing.join(', ')}. Is it the right kind of export?`);

/**
 * Returns the content of a JSON export.
 * @throws UploadFailure
 */
export function readJsonExport(path: string): unknown {
  try {
    if (statSync(path).size > MAX_JSON_BYTES) throw new Error('a JSON export may have at most 256 MiB');
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, error as Error);
  }
}

/** Returns whether a file is JSON, by its first character. */
export async function isJsonFile(path: string): Promise<boolean> {
  try {
    for await (const chunk of createReadStream(path, { encoding: 'utf8', end: 1_023 })) {
      return /^[\uFEFF\s]*[[{]/.test(chunk);
    }
  } catch (error) {
    throw unreadable(path, error as Error);
  }
  return false;
}

function unreadable(path: string, error: Error): UploadFailure {
  if (error instanceof UploadFailure) return error;
  const line = error instanceof CsvError && 'lines' in error ? `, line ${error.lines}` : '';
  return new UploadFailure(`${path}${line}: ${error.message}.`);
}

/** Returns a member of an object as text; '' if it is missing or something else. */
export function textIn(value: unknown, ...path: string[]): string {
  let found = value;
  for (const name of path) found = (found as Record<string, unknown> | null | undefined)?.[name];
  return typeof found === 'string' ? found : '';
}

/** @throws UploadFailure if a part of an export is not a list */
export function listIn(path: string, place: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new UploadFailure(`${path}, ${place}: must be a list. Is it the right kind of export?`);
}
