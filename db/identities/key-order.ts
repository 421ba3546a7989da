/** The key of an identity: an account belongs to exactly one developer. */
export interface IdentityKey {
  integrationId: number;
  identity: string;
}

/** Compares keys in the order of the database: by number, then by code points, as `utf8mb4_bin` does. */
export function compareKeys(a: IdentityKey, b: IdentityKey): number {
  if (a.integrationId !== b.integrationId) return a.integrationId - b.integrationId;
  return a.identity === b.identity ? 0 : compareCodePoints(a.identity, b.identity);
}

/** JavaScript compares UTF-16 units, which puts code points beyond U+FFFF before U+E000. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Surrogates represent code points that are greater than any single unit. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** MariaDB turns longer lists into a join with a temporary table. */
const MAX_LIST = 1_000;

/** Keys of one account system. */
interface KeyList {
  integrationId: number;
  identities: string[];
}

/** Splits keys by account system, into lists of limited length. */
export function* listsOf(keys: readonly IdentityKey[]): Generator<KeyList> {
  let list: KeyList | undefined;
  for (const { integrationId, identity } of keys) {
    if (list?.integrationId === integrationId && list.identities.length < MAX_LIST) {
      list.identities.push(identity);
      continue;
    }
    if (list) yield list;
    list = { integrationId, identities: [identity] };
  }
  if (list) yield list;
}
