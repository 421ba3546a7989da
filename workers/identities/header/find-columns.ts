import { type ColumnCandidate, FileError, type LineError } from '../record/errors.js';
import { FIELDS, type FieldName, fieldOf, fold, guessField } from './column-names.js';
import { cut, quoteName } from './quote-name.js';

/** The position of a field in each record, and whether its cells are escaped against spreadsheets. */
export interface Column {
  index: number;
  /** The header's cell as it was sent, at most {@link MAX_NAME} characters. */
  name: string;
  escaped: boolean;
}

/** The column of each field; null for a field that is not read from the file. */
export type Columns = Record<FieldName, Column | null>;

/** What the client says about the columns of a file. */
export interface ColumnChoice {
  /** A removal names no owner, so `email` is not read. */
  action?: 'assert' | 'remove';
  /** Names of columns. The other fields are found by their known names. */
  columns?: { [Field in FieldName]?: string | undefined } | undefined;
  /** The integration of all rows, for a file without such a column. */
  integrationId?: number | undefined;
}

/** Spaces in a column's name are ignored, so a name can be as long as the header record. */
const MAX_NAME = 255;
/** Columns that an error lists. */
export const MAX_LISTED = 100;
/** Columns that a message shows. */
const MAX_SHOWN = 10;

/**
 * Finds the column of each field.
 *
 * @param found the header's cells
 * @param line the header's physical line, for errors
 * @throws FileError `header_missing`, `column_missing`, `column_repeated`, `column_conflict`, with all columns of the file
 */
export function findColumns(found: readonly string[], line: number, choice: ColumnChoice): Columns {
  const fields = wantedFields(choice);
  const places = placesOf(found, choice);
  if (!choice.columns && fields.every((field) => places[field].length === 0))
    throw headerMissing(found, line, fields);
  const errors = [
    ...fields.flatMap((field) => columnError(field, places[field], found, choice)),
    ...sharedColumns(fields, places, found),
    ...conflict(places.integrationId, found, choice),
  ].map((error) => ({ line, ...error }));
  if (errors.length > 0) throw headerError(found, line, errors);
  const columnOf = (field: FieldName) => (fields.includes(field) ? toColumn(found, places[field][0]) : null);
  return {
    email: columnOf('email'),
    integrationId: columnOf('integrationId'),
    identity: columnOf('identity'),
  };
}

/** Returns how many of the fields that must be in the file have a column. */
export function countFields(found: readonly string[], choice: ColumnChoice): number {
  const places = placesOf(found, choice);
  return wantedFields(choice).filter((field) => places[field].length > 0).length;
}

function wantedFields({ action, integrationId }: ColumnChoice): FieldName[] {
  return FIELDS.filter((field) => {
    if (field === 'email') return action !== 'remove';
    return field !== 'integrationId' || integrationId === undefined;
  });
}

type Places = Record<FieldName, number[]>;

/** Returns the indexes of the columns of each field. A column that the client has chosen counts for that field only. */
function placesOf(found: readonly string[], { columns = {} }: ColumnChoice): Places {
  const places: Places = { email: [], integrationId: [], identity: [] };
  const chosen = new Set<number>();
  for (const field of FIELDS) {
    const name = columns[field];
    if (name === undefined) continue;
    places[field] = placesNamed(name, found);
    for (const index of places[field]) chosen.add(index);
  }
  found.forEach((name, index) => {
    const field = fieldOf(name)?.field;
    if (field && columns[field] === undefined && !chosen.has(index)) places[field].push(index);
  });
  return places;
}

/** Returns the columns with this name. The exact spelling decides between names that differ only in case, spaces, `_` or `-`. */
function placesNamed(wanted: string, found: readonly string[]): number[] {
  const indexes = (matches: (name: string) => boolean) =>
    found.flatMap((name, index) => (matches(name) ? [index] : []));
  const exact = indexes((name) => name.trim() === wanted.trim());
  return exact.length > 0 ? exact : indexes((name) => fold(name) !== '' && fold(name) === fold(wanted));
}

type HeaderError = Omit<LineError, 'line'>;

function columnError(
  field: FieldName,
  places: number[],
  found: readonly string[],
  { columns = {} }: ColumnChoice,
): HeaderError[] {
  if (places.length === 1) return [];
  if (places.length > 1) {
    const named = places.map((index) => quoteName(found[index] ?? '')).join(' and ');
    return [{ field, code: 'column_repeated', message: `more than one column for ${field}: ${named}` }];
  }
  return [noColumn(field, columns[field])];
}

function noColumn(field: FieldName, wanted?: string): HeaderError {
  const what = wanted === undefined ? 'no column' : `no column ${quoteName(wanted)}`;
  return { field, code: 'column_missing', message: `${what} for ${field}` };
}

function sharedColumns(
  fields: readonly FieldName[],
  places: Places,
  found: readonly string[],
): HeaderError[] {
  return fields.flatMap((field, at) => {
    const index = places[field][0];
    const other = fields.slice(0, at).find((one) => index !== undefined && places[one][0] === index);
    if (!other || index === undefined) return [];
    const message = `the column ${quoteName(found[index] ?? '')} is named for ${other} and for ${field}`;
    return [{ field, code: 'column_repeated', message }];
  });
}

function conflict(
  [index]: number[],
  found: readonly string[],
  { integrationId }: ColumnChoice,
): HeaderError[] {
  if (integrationId === undefined || index === undefined) return [];
  const message =
    `the file has the column ${quoteName(found[index] ?? '')} for integrationId, ` +
    `and the upload sets it to ${integrationId} for all rows`;
  return [{ field: 'integrationId', code: 'column_conflict', message }];
}

function headerMissing(found: readonly string[], line: number, fields: readonly FieldName[]): FileError {
  const errors = fields.map((field) => ({ line, ...noColumn(field) }));
  const names = [fields.slice(0, -1).join(', '), fields.at(-1)].join(' and ');
  const message = `line ${line} must name the columns ${names}, but contains ${listed(found)}`;
  return new FileError('header_missing', message, errors, candidatesIn(found));
}

function headerError(found: readonly string[], line: number, errors: LineError[]): FileError {
  const what = errors.map((error) => error.message).join('; ');
  const message = `line ${line}: ${what}. The line contains ${listed(found)}`;
  return new FileError(errors[0]?.code ?? 'column_missing', message, errors, candidatesIn(found));
}

const candidatesIn = (found: readonly string[]): ColumnCandidate[] =>
  found.slice(0, MAX_LISTED).map(toCandidate);

function listed(found: readonly string[]): string {
  const shown = found.slice(0, MAX_SHOWN).map((name) => describe(toCandidate(name)));
  return `${shown.join(', ')}${found.length > MAX_SHOWN ? ', …' : ''}. ${HOW_TO_CHOOSE}`;
}

const HOW_TO_CHOOSE =
  'Rename the columns, or choose them with `columns`, such as `email:Mail Address,identity:Login`';

/** Returns a column of the file and the field that its name stands for or may stand for. */
export function toCandidate(name: string): ColumnCandidate {
  return { column: cut(name.trim(), MAX_NAME), field: fieldOf(name)?.field ?? guessField(name) };
}

const describe = ({ column, field }: ColumnCandidate): string =>
  `${quoteName(column)}${field && !fieldOf(column) ? ` (${field}?)` : ''}`;

function toColumn(found: readonly string[], index: number | undefined): Column {
  const name = found[index as number] ?? '';
  return { index: index as number, name: cut(name, MAX_NAME), escaped: fieldOf(name)?.escaped ?? false };
}
