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

/** The column of each field; null for a field that is not read from the file. Other fields are those of `ColumnChoice.reads`. */
export type Columns = Record<FieldName, Column | null> & { [field: string]: Column | null };

/** What the client says about the columns of a file. */
export interface ColumnChoice {
  /** A removal names no owner, so `email` is not read. */
  action?: 'assert' | 'remove';
  /** Names of columns. The other fields are found by their known names. */
  columns?: { [field: string]: string | undefined } | undefined;
  /** The account system of all rows, for a file without such a column. */
  integrationId?: number | undefined;
  /** The account system of all rows, which a column may repeat. */
  onlyIntegrationId?: number | undefined;
  /** The fields to read instead of those of an identity. A file need not have a column for the optional ones. `all`: every column is read. */
  reads?: { required: readonly string[]; optional?: readonly string[]; all?: boolean } | undefined;
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
  if (!choice.columns && Object.values(places).every((indexes) => indexes.length === 0))
    throw headerMissing(found, line, fields, choice);
  const optional =
    choice.reads?.optional ?? (choice.onlyIntegrationId === undefined ? [] : ['integrationId']);
  const all = [...fields, ...optional.filter((field) => placesIn(places, field).length > 0)];
  const errors = [
    ...all.flatMap((field) => columnError(field, placesIn(places, field), found, choice)),
    ...sharedColumns(all, places, found),
    ...conflict(placesIn(places, 'integrationId'), found, choice),
  ].map((error) => ({ line, ...error }));
  if (errors.length > 0) throw headerError(found, line, errors, choice);
  const columnOf = (field: string) => {
    const [index] = all.includes(field) ? placesIn(places, field) : [];
    return index === undefined ? null : toColumn(found, index);
  };
  const others = all.filter((field) => !FIELDS.some((one) => one === field));
  return {
    // Each row looks these up, so they have the same place in every object.
    email: columnOf('email'),
    integrationId: columnOf('integrationId'),
    identity: columnOf('identity'),
    ...Object.fromEntries(others.map((field) => [field, columnOf(field)])),
  };
}

/** Returns how many of the fields that must be in the file have a column. */
export function countFields(found: readonly string[], choice: ColumnChoice): number {
  const places = placesOf(found, choice);
  return fieldsOf(choice).filter((field) => placesIn(places, field).length > 0).length;
}

/** Returns the fields that the file must have. */
function wantedFields({ action, integrationId, onlyIntegrationId, reads }: ColumnChoice): readonly string[] {
  if (reads) return reads.required;
  return FIELDS.filter((field) => {
    if (field === 'email') return action !== 'remove';
    return field !== 'integrationId' || (integrationId ?? onlyIntegrationId) === undefined;
  });
}

/** Returns the fields that are looked for in the file. */
const fieldsOf = ({ reads, ...choice }: ColumnChoice): readonly string[] =>
  reads ? [...reads.required, ...(reads.optional ?? [])] : wantedFields(choice);

type Places = Record<string, number[]>;

const placesIn = (places: Places, field: string): number[] => places[field] ?? [];

/** Returns the indexes of the columns of each field. A column that the client has chosen counts for that field only. */
function placesOf(found: readonly string[], choice: ColumnChoice): Places {
  const { columns = {}, reads } = choice;
  const places: Places = {};
  const chosen = new Set<number>();
  const known = reads ? fieldsOf(choice) : FIELDS;
  for (const field of known) {
    const name = columns[field];
    places[field] = name === undefined ? [] : placesNamed(name, found);
    for (const index of placesIn(places, field)) chosen.add(index);
  }
  found.forEach((name, index) => {
    const field = fieldOf(name)?.field;
    if (field && known.includes(field) && columns[field] === undefined && !chosen.has(index))
      placesIn(places, field).push(index);
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
  field: string,
  places: number[],
  found: readonly string[],
  { columns = {} }: ColumnChoice,
): HeaderError[] {
  const meant = withPlus(columns[field], found, places.length > 0);
  if (places.length === 1 && meant === null) return [];
  if (places.length > 1) {
    const named = places.map((index) => quoteName(found[index] ?? '')).join(' and ');
    return [{ field, code: 'column_repeated', message: `more than one column for ${field}: ${named}` }];
  }
  return [noColumn(field, columns[field], meant)];
}

/** Returns the column that a client probably means whose query has `+` where `%2B` is needed: `C++` arrives as `C` and two spaces. */
function withPlus(wanted: string | undefined, found: readonly string[], hasOther: boolean): string | null {
  if (wanted === undefined) return null;
  const isMeant = (name: string) => {
    const arrived = name.trim().replaceAll('+', ' ');
    return name.includes('+') && (arrived === wanted || (!hasOther && fold(arrived) === fold(wanted)));
  };
  return found.find(isMeant) ?? null;
}

function noColumn(field: string, wanted?: string, meant: string | null = null): HeaderError {
  const hint = meant === null ? '' : `. If ${quoteName(meant)} is meant, write + as %2B in the query`;
  const message =
    wanted === undefined || wanted === field
      ? `no column ${wanted === undefined ? 'for ' : ''}${field}`
      : `no column ${quoteName(wanted.trim())} for ${field}${hint}`;
  return { field, code: 'column_missing', message };
}

function sharedColumns(fields: readonly string[], places: Places, found: readonly string[]): HeaderError[] {
  return fields.flatMap((field, at) => {
    const index = placesIn(places, field)[0];
    const other = fields
      .slice(0, at)
      .find((one) => index !== undefined && placesIn(places, one)[0] === index);
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

function headerMissing(
  found: readonly string[],
  line: number,
  fields: readonly string[],
  choice: ColumnChoice,
): FileError {
  const errors = fields.map((field) => ({ line, ...noColumn(field) }));
  const names =
    fields.length === 1
      ? `column ${fields[0]}`
      : `columns ${[fields.slice(0, -1).join(', '), fields.at(-1)].join(' and ')}`;
  const message = `line ${line} must name the ${names}, but contains ${listed(found, choice)}`;
  return new FileError('header_missing', message, errors, { candidates: candidatesIn(found) });
}

function headerError(
  found: readonly string[],
  line: number,
  errors: LineError[],
  choice: ColumnChoice,
): FileError {
  const what = errors.map((error) => error.message).join('; ');
  const message = `line ${line}: ${what}. The line contains ${listed(found, choice)}`;
  const code = errors[0]?.code ?? 'column_missing';
  return new FileError(code, message, errors, { candidates: candidatesIn(found) });
}

export const candidatesIn = (found: readonly string[]): ColumnCandidate[] =>
  found.slice(0, MAX_LISTED).map(toCandidate);

function listed(found: readonly string[], { reads }: ColumnChoice): string {
  const shown = found.slice(0, MAX_SHOWN).map((name) => describe(toCandidate(name)));
  return `${shown.join(', ')}${found.length > MAX_SHOWN ? ', …' : ''}${reads ? '' : `. ${HOW_TO_CHOOSE}`}`;
}

const HOW_TO_CHOOSE =
  'Rename the columns, or choose them with `columns`, such as `email:Mail Address,identity:Login`';

/** Returns a column of the file and the field that its name stands for or may stand for. */
export function toCandidate(name: string): ColumnCandidate {
  const known = fieldOf(name)?.field;
  return { column: cut(name.trim(), MAX_NAME), field: known === 'name' ? null : (known ?? guessField(name)) };
}

const describe = ({ column, field }: ColumnCandidate): string =>
  `${quoteName(column)}${field && !fieldOf(column) ? ` (${field}?)` : ''}`;

function toColumn(found: readonly string[], index: number): Column {
  const name = found[index] ?? '';
  return { index, name: cut(name, MAX_NAME), escaped: fieldOf(name)?.escaped ?? false };
}
