/** The key of an identity: an account belongs to exactly one developer. */
export interface IdentityKey {
  integrationId: number;
  identity: string;
}

/** The order in which the database keeps keys: by number, then by code points, which is how `utf8mb4_bin` compares. */
export function compareKeys(a: IdentityKey, b: IdentityKey): number {
  if (a.integrationId !== b.integrationId) return a.integrationId - b.integrationId;
  return a.identity === b.identity ? 0 : compareCodePoints(a.identity, b.identity);
}

/** JavaScript compares UTF-16 units, in which what lies beyond U+FFFF comes before U+E000. */
function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  if (at === length) return a.length - b.length;
  return rank(a.charCodeAt(at)) - rank(b.charCodeAt(at));
}

/** Surrogates stand for code points above all that one unit can say. */
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);
