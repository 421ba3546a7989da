import { parse } from 'csv-parse/sync';
import { showCell } from '../decode/byte-text.js';
import { FileError, fileErrorAt, type LineError } from '../record/errors.js';
import { ORIGINAL_ROW } from '../rejected/rejected-row.js';
import { scanQuotes } from './quotes.js';

export type FieldName = 'email' | 'integrationId' | 'identity';

/** The position of a field in each record, and whether its cells are escaped against spreadsheets. */
export interface Column {
  index: number;
  /** The header's cell as it was sent, at most {@link MAX_NAME} characters. */
  name: string;
  escaped: boolean;
}

export interface Header {
  delimiter: string;
  /** The number of cells of every record. */
  width: number;
  columns: Record<FieldName, Column>;
  /**
   * The index of the column in which a rejected file contains the rows as they were first uploaded; null if there is
   * none.
   */
  original: number | null;
  /** The names of the columns that are ignored. */
  extra: string[];
  /** Whether the file is read as UTF-8 only because no charset is known. */
  isAssumedUtf8: boolean;
}

/** Spaces in a column's name are ignored, so a name can be as long as the header record. */
const MAX_NAME = 255;

/** A field that is found outweighs any number of cells: a header record has at most 64 KiB. */
const RANK_OF_FIELD = 64 * 1024;

const DELIMITERS = [',', ';', '\t', '|'];

/** In the order of downloads and rejected files. */
export const FIELDS: readonly FieldName[] = ['email', 'integrationId', 'identity'];

/** Names as returned by {@link fold}. */
const NAMES: Record<string, { field: FieldName; escaped: boolean }> = {
  ...names('email', ['email', 'mail', 'emailaddress', 'developeremail']),
  ...names('integrationId', ['integrationid', 'integration']),
  ...names('identity', ['identity', 'cloudid', 'cloudidentity', 'accountid', 'username']),
  emailescaped: { field: 'email', escaped: true },
  identityescaped: { field: 'identity', escaped: true },
};

/**
 * Reads the header record and chooses the delimiter: the one with which most fields are found, then the one that
 * gives most cells.
 *
 * @param record the header record's bytes, without its line break
 * @param line its physical line, for errors
 * @param forced the delimiter that a `sep=` line names
 * @param isAssumedUtf8 whether the charset of the file is unknown
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
      message: 'a column name has a quote inside it',
    });
  }
  const found = splitHeader(record, delimiter);
  const columns = findColumns(found, line);
  const original = findOriginal(found, columns);
  const used = [...Object.values(columns).map((column) => column.index), original];
  const extra = found.filter((_, index) => !used.includes(index)).map((name) => name.trim());
  return { delimiter, width: found.length, columns, original, extra, isAssumedUtf8 };
}

/** Returns the most likely delimiter of a header record: comma, semicolon, tab or bar. */
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

/** Returns the index of the original rows if this is the header of a rejected file, else null. */
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
    const message = `line ${line} must name the columns email, integrationId and identity, but contains ${shown}`;
    return new FileError('header_missing', message, errors);
  }
  const what = errors.map((error) => error.message).join('; ');
  return new FileError(
    errors[0]?.code ?? 'column_missing',
    `line ${line}: ${what}. The line contains ${shown}`,
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

/** Returns a column's name as messages show it. */
export function quoteName(name: string): string {
  return JSON.stringify(cut(name, 60));
}

/** The first half of a surrogate pair that was cut in two. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/**
 * Returns at most `length` UTF-16 units of a text, without splitting a character, and with `…` if the text is longer.
 */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(HALF_CHARACTER, '')}…` : text;
}

function names(field: FieldName, aliases: string[]): Record<string, { field: FieldName; escaped: boolean }> {
  return Object.fromEntries(aliases.map((alias) => [alias, { field, escaped: false }]));
}
