import { createReadStream, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { checkCells, notePadding, textKind, valueIn } from '../../../workers/identities/parse/check-row.js';
import { readTable } from '../../../workers/identities/parse/read-csv.js';
import { FileError, type RowError } from '../../../workers/identities/record/errors.js';
import { trim } from '../../../workers/identities/record/normalize-text.js';
import { printable } from '../../text/printable.js';
import { UploadFailure } from '../failure.js';

/** A JSON export is parsed as a whole. */
const MAX_JSON_BYTES = 256 * 1024 * 1024;

/** The file of an export. */
export interface ExportFile {
  path: string;
  /** The encoding of a CSV file, if it is neither UTF-8 nor marked. */
  charset?: string | undefined;
  /** Whether lines that do not look like a row are rows. */
  keepsLost: boolean;
  /** Receives what the reader of CSV files notes. */
  notes: string[];
}

/** A row of a CSV export: its place for messages, and by field the cell and the name of its column. */
export interface ExportRow {
  place: string;
  cell(field: string): string;
  name(field: string): string;
}

/** An export may be as large as the disk. The service has limits for what is converted from it. */
const LIMITS = { maxBytes: Number.MAX_SAFE_INTEGER, maxRows: Number.MAX_SAFE_INTEGER };

/**
 * Yields the rows of a CSV export by the rules of an upload, however large it is.
 * @param columns the columns by field; one without a name is found by the names that an upload knows
 * @throws UploadFailure if a column is missing or repeated, or the file or a row cannot be read as CSV
 */
export async function* csvRows(
  { path, charset, keepsLost, notes: said }: ExportFile,
  columns: Record<string, string | undefined>,
): AsyncGenerator<ExportRow> {
  const choice = { reads: { required: Object.keys(columns) }, columns };
  const rows = readTable(createReadStream(path), { charset, choice, limits: LIMITS }, (header, notes) => {
    const columnOf = (field: string) => header.columns[field] ?? null;
    const name = (field: string) => columnOf(field)?.name.trim() ?? field;
    return (cells, line): ExportRow | RowError[] => {
      const text = textKind(cells);
      const unreadable = checkCells(cells, line, header, text, { keepsLost, notes });
      if (unreadable) return unreadable;
      if (text !== 'plain') notePadding(cells, line, header, notes);
      const cell = (field: string) => trim(valueIn(cells, columnOf(field), text));
      return { place: `line ${line}`, cell, name };
    };
  });
  try {
    for await (const { records, rejected } of rows) {
      const [invalid] = rejected;
      if (invalid) throw new Error(`line ${invalid.line}: ${invalid.errors[0]?.message}`);
      yield* records;
    }
  } catch (error) {
    throw unreadable(path, error as Error);
  }
  // An export has more columns than are needed.
  const warnings = rows.warnings.filter(({ code }) => code !== 'extra_columns');
  said.push(...warnings.map(({ message }) => printable(`Warning: ${basename(path)}: ${message}`)));
}

/**
 * Returns the content of a JSON export.
 * @throws UploadFailure
 */
export function readJsonExport({ path, charset }: ExportFile): unknown {
  try {
    if (charset !== undefined) throw new Error('a JSON export is always UTF-8. Remove --charset');
    if (statSync(path).size > MAX_JSON_BYTES) throw new Error('a JSON export may have at most 256 MiB');
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw unreadable(path, error as Error);
  }
}

/** Returns whether a file is JSON, by its first character. */
export async function isJsonFile({ path }: ExportFile): Promise<boolean> {
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
  const isColumn = error instanceof FileError && /_missing$/.test(error.code);
  const place = error.message.startsWith('line ') ? ', ' : ': ';
  return new UploadFailure(
    `${path}${place}${error.message}.${isColumn ? ' Is it the right kind of export?' : ''}`,
  );
}

/** Returns what is at a path such as `profile.email`; undefined if a part of it is missing. */
export const memberOf = (value: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce((found, name) => (found as Record<string, unknown> | null | undefined)?.[name], value);

/** Returns the text at a path; '' if it is missing or something else. */
export function textIn(value: unknown, path: string): string {
  const found = memberOf(value, path);
  return typeof found === 'string' ? found : '';
}

/** @throws UploadFailure if a part of an export is not a list */
export function listIn({ path }: ExportFile, place: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new UploadFailure(`${path}, ${place}: must be a list. Is it the right kind of export?`);
}
