import type { Mapping } from '../../../http/types.ts';

export type Lookup = NonNullable<Mapping['lookups']>[string];
/** A template, or an expression. */
export type KeyPart = Extract<NonNullable<Lookup['key']>, readonly unknown[]>[number];

export interface DraftLookup {
  name: string;
  lookup: Lookup;
}

/** The most lookups of a mapping. */
export const MAX_LOOKUPS = 10;

const NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Returns what is wrong with the name of a lookup, or null if it is valid. */
export function lookupNameError(name: string, used: readonly string[]): string | null {
  if (!NAME.test(name)) return 'Start with a letter. Use only letters, digits and _, at most 64 characters.';
  return used.includes(name) ? 'Another lookup has this name.' : null;
}

/** Returns the parts of a key: one for each key column of the table, or the account. */
export const keyPartsOf = ({ key = '', owner }: Lookup): readonly KeyPart[] =>
  owner ? [owner.identity] : Array.isArray(key) ? key : [key];

/** Returns the template or the expression of a part of a key. */
export const textOfPart = (part: KeyPart): string => (typeof part === 'string' ? part : part.expression);

/** Returns where a part of a key is in its lookup, as errors name it. */
export const placeOfPart = ({ key, owner }: Lookup, index: number): string =>
  owner ? 'owner.identity' : Array.isArray(key) ? `key.${index}` : 'key';

/** Returns a lookup with other parts of its key. */
export function withKeyParts(lookup: Lookup, parts: readonly KeyPart[]): Lookup {
  const [first = '', ...others] = parts;
  if (lookup.owner) return { owner: { ...lookup.owner, identity: first } };
  return { ...lookup, key: others.length === 0 ? first : [first, ...others] };
}

/** Returns a lookup that reads another table, or the owners of accounts. It keeps its key, as far as it has as many parts. */
export function withPlace(
  lookup: Lookup,
  place: { table: string; keyColumns: number } | { integrationId: number },
): Lookup {
  const parts = keyPartsOf(lookup);
  if ('integrationId' in place)
    return { owner: { integrationId: place.integrationId, identity: parts[0] ?? '' } };
  const own = Array.from({ length: place.keyColumns }, (_, index) => parts[index] ?? '');
  return withKeyParts({ table: place.table }, own);
}

/** Returns a lookup as one text, for comparisons. */
export function describeLookup(lookup: Lookup | undefined): string | null {
  if (!lookup) return null;
  const parts = keyPartsOf(lookup).map(textOfPart);
  const place = lookup.owner
    ? `owner in account system ${lookup.owner.integrationId}`
    : `table ${lookup.table}`;
  return [place, ...parts].join('\n');
}
