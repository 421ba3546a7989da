import { FileError } from '../identities/record/errors.js';

const FIELDS = ['identity', 'name', 'email', 'integrationId'] as const;
type FieldName = (typeof FIELDS)[number];

/** The index of each column; null for a column that the file does not have. */
export interface AccountColumns extends Record<FieldName, number | null> {
  identity: number;
  width: number;
}

/** Names as returned by {@link fold}. */
const NAMES: Record<string, FieldName> = {
  identity: 'identity',
  identityescaped: 'identity',
  account: 'identity',
  accountid: 'identity',
  accountname: 'identity',
  cloudid: 'identity',
  cloudidentity: 'identity',
  login: 'identity',
  user: 'identity',
  userid: 'identity',
  username: 'identity',
  name: 'name',
  displayname: 'name',
  displaynameescaped: 'name',
  fullname: 'name',
  email: 'email',
  emailescaped: 'email',
  emailaddress: 'email',
  mail: 'email',
  integration: 'integrationId',
  integrationid: 'integrationId',
};

/** Columns whose cells are escaped against spreadsheets. */
const ESCAPED = /escaped$/;

const fold = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
const fieldOf = (name: string): FieldName | undefined =>
  Object.hasOwn(NAMES, fold(name)) ? NAMES[fold(name)] : undefined;

export const isEscaped = (name: string): boolean => ESCAPED.test(fold(name));

const DELIMITERS = [',', ';', '\t', '|'];

/** Returns the delimiter with which the header has most known columns, then most cells. Quotes in it are ignored. */
export function chooseDelimiter(header: string): string {
  const rank = (delimiter: string): number => {
    const names = header.replaceAll('"', '').split(delimiter);
    return 1_000 * names.filter((name) => fieldOf(name)).length + names.length;
  };
  return DELIMITERS.reduce((best, delimiter) => (rank(delimiter) > rank(best) ? delimiter : best));
}

/**
 * Returns the columns that a header names.
 * @param line the physical line of the header
 * @throws FileError `column_missing`, `column_repeated`
 */
export function findColumns(names: readonly string[], line: number): AccountColumns {
  const places = (field: FieldName) =>
    names.flatMap((name, index) => (fieldOf(name) === field ? [index] : []));
  const errors = FIELDS.filter((field) => places(field).length > 1).map((field) => ({
    line,
    field,
    code: 'column_repeated',
    message: `more than one column for ${field}`,
  }));
  const [identity] = places('identity');
  if (identity === undefined) {
    const message = 'no column for identity. Name it identity, login or username';
    errors.unshift({ line, field: 'identity', code: 'column_missing', message });
  }
  const [first] = errors;
  if (first || identity === undefined) {
    const all = errors.map(({ message }) => message).join('; ');
    throw new FileError(first?.code ?? 'column_missing', `line ${line}: ${all}`, errors);
  }
  const one = (field: FieldName) => places(field)[0] ?? null;
  return {
    identity,
    name: one('name'),
    email: one('email'),
    integrationId: one('integrationId'),
    width: names.length,
  };
}
