export type FieldName = 'email' | 'integrationId' | 'identity';

/** In the order of downloads and rejected files. */
export const FIELDS: readonly FieldName[] = ['email', 'integrationId', 'identity'];

interface KnownColumn {
  field: FieldName;
  /** Whether its cells are escaped against spreadsheets. */
  escaped: boolean;
}

/** Names as returned by {@link fold}. */
const NAMES: Record<string, KnownColumn> = {
  ...names('email', ['email', 'mail', 'emailaddress', 'developeremail']),
  ...names('integrationId', ['integrationid', 'integration']),
  ...names('identity', ['identity', 'cloudid', 'cloudidentity', 'accountid', 'username']),
  emailescaped: { field: 'email', escaped: true },
  identityescaped: { field: 'identity', escaped: true },
};

/** Words in the names of columns that often contain a field, in folded names. The first that is found decides. */
const HINTS: readonly [field: FieldName, words: RegExp][] = [
  ['email', /mail|principalname|^upn$/],
  ['integrationId', /integration|connection|instance|provider|source|system|tool/],
  ['identity', /identity|login|user|account|handle|alias|nick/],
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

/** Returns a name as names are compared: without case, white space, `_` and `-`. */
export function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

function names(field: FieldName, aliases: string[]): Record<string, KnownColumn> {
  return Object.fromEntries(aliases.map((alias) => [alias, { field, escaped: false }]));
}
