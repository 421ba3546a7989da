export type FieldName = 'email' | 'integrationId' | 'identity';

/** In the order of downloads and rejected files. */
export const FIELDS: readonly FieldName[] = ['email', 'integrationId', 'identity'];

interface KnownColumn {
  /** `name` is the display name of an account, which only a list of accounts has. */
  field: FieldName | 'name';
  /** Whether its cells are escaped against spreadsheets. */
  escaped: boolean;
}

/** Names as returned by {@link fold}. */
const NAMES: Record<string, KnownColumn> = {
  ...names('email', ['email', 'mail', 'emailaddress', 'developeremail']),
  ...names('integrationId', ['integrationid', 'integration']),
  ...names('identity', ['identity', 'cloudid', 'cloudidentity', 'account', 'accountid', 'accountname']),
  ...names('identity', ['login', 'user', 'userid', 'username']),
  ...names('name', ['name', 'displayname', 'fullname']),
  emailescaped: { field: 'email', escaped: true },
  identityescaped: { field: 'identity', escaped: true },
  displaynameescaped: { field: 'name', escaped: true },
};

/** Words in the names of columns that often contain a field, in folded names. The first that is found decides. */
const HINTS: readonly [field: FieldName, words: RegExp][] = [
  ['email', /mail|principalname|^upn$/],
  ['identity', /identity(?!provider)|login|user|account|handle|alias|nick/],
  ['integrationId', /integration|connection|instance|provider|source|system|tool/],
];

/** Returns the field that a column's name stands for. */
export function fieldOf(name: string): KnownColumn | undefined {
  const folded = fold(name);
  return Object.hasOwn(NAMES, folded) ? NAMES[folded] : undefined;
}

/** Returns the field that a column with an unknown name may contain, for suggestions only; null if no word is familiar. */
export function guessField(name: string): FieldName | null {
  const folded = fold(name);
  return HINTS.find(([, words]) => words.test(folded))?.[0] ?? null;
}

/** Returns a name as names are compared: in NFC, without case, white space, `_`, `-` and invisible characters. */
export function fold(name: string): string {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_-]|\p{Default_Ignorable_Code_Point}/gu, '');
}

function names(field: KnownColumn['field'], aliases: string[]): Record<string, KnownColumn> {
  return Object.fromEntries(aliases.map((alias) => [alias, { field, escaped: false }]));
}
