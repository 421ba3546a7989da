import { parse } from 'csv-parse/sync';
import { showCell } from '../decode/byte-text.js';
import { FileError, fileErrorAt, type LineError } from '../record/errors.js';
import { ORIGINAL_ROW } from '../rejected/rejected-row.js';
import { scanQuotes } from './quotes.js';

export type FieldName = 'email' | 'integrationId' | 'identity';

/** Where a field stands in each record, and whether its cells are escaped against spreadsheets. */
export interface Column {
  index: number;
  /** The header's cell as it was sent, at most {@link MAX_NAME} characters of it. */
  name: string;
  escaped: boolean;
}

export interface Header {
  delimiter: string;
  /** Number of cells of every record. */
  width: number;
  columns: Record<FieldName, Column>;
  /** Index of the column with which a rejected file carries the rows as they were first uploaded; null without it. */
  original: number | null;
  /** Names of the columns that are read over. */
  extra: string[];
  /** Whether the file is read as UTF-8 because nothing says what it is. */
  isAssumedUtf8: boolean;
}

/** Spaces in a column's name do not count, so a name can be as long as the header record. */
const MAX_NAME = 255;

/** A field that is found counts for more than any number of cells: a header record has at most 64 KiB. */
const RANK_OF_FIELD = 64 * 1024;

const DELIMITERS = [',', ';', '\t', '|'];

/** In the order of downloads and rejected files. */
export const FIELDS: readonly FieldName[] = ['email', 'integrationId', 'identity'];

/** Names as folded by {@link fold}. */
const NAMES: Record<string, { field: FieldName; escaped: boolean }> = {
  ...names('email', ['email', 'mail', 'emailaddress', 'developeremail']),
  ...names('integrationId', ['integrationid', 'integration']),
  ...names('identity', ['identity', 'cloudid', 'cloudidentity', 'accountid', 'username']),
  emailescaped: { field: 'email', escaped: true },
  identityescaped: { field: 'identity', escaped: true },
};

/**
 * Decides the delimiter from the header record alone: the one under which most fields are found, then the one
 * that makes most cells.
 *
 * @param record the header record's bytes, without its line break
 * @param line its physical line, for faults
 * @param forced the delimiter that a `sep=` line names
 * @param isAssumedUtf8 whether nothing says in which charset the file is
 * @throws FileError `header_missing`, `column_missing`, `column_repeated`, `stray_quote`
 */
export function readHeader(
  record: Buffer,
  line: number,
  forced: string | null,
  isAssumedUtf8: boolean,
): Header {
  const delimiter = forced ?? chooseDelimiter(record);
  if (hasBadQuotes(record, delimiter)) {
    throw fileErrorAt(line, {
      code: 'stray_quote',
      message: 'a quote stands in the middle of a column name',
    });
  }
  const found = splitHeader(record, delimiter);
  const columns = findColumns(found, line);
  const original = findOriginal(found, columns);
  const used = [...Object.values(columns).map((column) => column.index), original];
  const extra = found.filter((_, index) => !used.includes(index)).map((name) => name.trim());
  return { delimiter, width: found.length, columns, original, extra, isAssumedUtf8 };
}

/** @returns the delimiter that a header record speaks for, of comma, semicolon, tab and bar */
export function chooseDelimiter(record: Buffer): string {
  let best = { delimiter: DELIMITERS[0] ?? ',', rank: 0 };
  for (const delimiter of DELIMITERS) {
    const rank = hasBadQuotes(record, delimiter) ? 0 : rankOf(splitHeader(record, delimiter));
    if (rank > best.rank) best = { delimiter, rank };
  }
  return best.delimiter;
}

function rankOf(names: string[]): number {
  const fields = new Set(names.map((name) => fieldOf(name)?.field));
  fields.delete(undefined);
  return fields.size * RANK_OF_FIELD + names.length;
}

function hasBadQuotes(record: Buffer, delimiter: string): boolean {
  const { stray, openLine } = scanQuotes(record, delimiter.charCodeAt(0));
  return stray !== null || openLine !== null;
}

function splitHeader(record: Buffer, delimiter: string): string[] {
  const [names = []] = parse(record, {
    delimiter,
    encoding: 'latin1',
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  return names.map(showCell);
}

function findColumns(found: string[], line: number): Record<FieldName, Column> {
  const places = group(found);
  const errors = FIELDS.flatMap((field) => columnError(field, places[field], found, line));
  const { email, integrationId, identity } = places;
  if (errors.length > 0 || !email[0] || !integrationId[0] || !identity[0])
    throw headerError(found, line, errors);
  return { email: email[0], integrationId: integrationId[0], identity: identity[0] };
}

function group(found: string[]): Record<FieldName, Column[]> {
  const places: Record<FieldName, Column[]> = { email: [], integrationId: [], identity: [] };
  found.forEach((name, index) => {
    const known = fieldOf(name);
    if (known) places[known.field].push({ index, name: cut(name, MAX_NAME), escaped: known.escaped });
  });
  return places;
}

/** Returns where the original rows are, if this is the header of a rejected file. */
function findOriginal(found: string[], { email, identity }: Header['columns']): number | null {
  const index = found.findIndex((name) => fold(name) === fold(ORIGINAL_ROW));
  return email.escaped && identity.escaped && index !== -1 ? index : null;
}

function columnError(field: FieldName, places: Column[], found: string[], line: number): LineError[] {
  if (places.length === 1) return [];
  if (places.length === 0) {
    return [{ line, field, code: 'column_missing', message: `no column for ${field}` }];
  }
  const named = places.map(({ index }) => quoteName(found[index] ?? '')).join(' and ');
  return [{ line, field, code: 'column_repeated', message: `more than one column for ${field}: ${named}` }];
}

function headerError(found: string[], line: number, errors: LineError[]): FileError {
  const shown = found.slice(0, 10).map(quoteName).join(', ') + (found.length > 10 ? ', …' : '');
  if (errors.length === FIELDS.length && errors.every((error) => error.code === 'column_missing')) {
    const message = `line ${line} must name the columns email, integrationId and identity; it holds ${shown}`;
    return new FileError('header_missing', message, errors);
  }
  const what = errors.map((error) => error.message).join('; ');
  return new FileError(
    errors[0]?.code ?? 'column_missing',
    `line ${line}: ${what}; it holds ${shown}`,
    errors,
  );
}

function fieldOf(name: string): { field: FieldName; escaped: boolean } | undefined {
  const folded = fold(name);
  return Object.hasOwn(NAMES, folded) ? NAMES[folded] : undefined;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** @returns a column's name as messages show it */
export function quoteName(name: string): string {
  return JSON.stringify(cut(name, 60));
}

/** The first half of a surrogate pair that was cut in two. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** @returns at most so many UTF-16 units of a text, whole characters, with `…` if there is more */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(HALF_CHARACTER, '')}…` : text;
}

function names(field: FieldName, aliases: string[]): Record<string, { field: FieldName; escaped: boolean }> {
  return Object.fromEntries(aliases.map((alias) => [alias, { field, escaped: false }]));
}
