import { isToken } from './token.js';

/** Nobody finds one by trying. A UUID of version 4 has 122. */
const MIN_BITS = 100;
/** A random text of 30 hexadecimal digits has fewer once in 800 million times. */
const MIN_DISTINCT = 7;
/** Of a text's triples of characters: in a random text of 128 hexadecimal digits, 98% differ. */
const MIN_DISTINCT_TRIPLES = 0.8;
/** How many of a text's characters may repeat or follow the one before. In a random text of digits only, 28% do; 75% once in ten million texts. */
const MAX_STEPS = 0.75;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** The characters of a token, from the fewest on. */
const ALPHABETS: readonly [RegExp, number][] = [
  [/^[\d.~_-]*$/, 10],
  [/^[\da-f.~_-]*$|^[\dA-F.~_-]*$/, 16],
  [/^[\da-z.~_-]*$|^[\dA-Z.~_-]*$/, 36],
];

/**
 * Returns why a token of another product is not accepted as one of Muster's; null if it is. A token that is guessed lets others send events, and it is looked
 * up by a fast hash, so it must be as random as the keys that products make.
 */
export function weaknessOf(token: string): string | null {
  if (!isToken(token)) return 'must be 20 to 128 letters, digits, ".", "_", "~" or "-"';
  const version = UUID.exec(token)?.[1];
  if (version !== undefined && version !== '4')
    return 'is a UUID that is not random: only those of version 4 are';
  const characters = [...token.replace(/[._~-]/g, '')];
  const alphabet = ALPHABETS.find(([pattern]) => pattern.test(token))?.[1] ?? 62;
  const bits = characters.length * Math.log2(alphabet);
  const isWord = !/\d/.test(token) && (token === token.toLowerCase() || token === token.toUpperCase());
  if (bits < MIN_BITS || isWord || isPattern(characters))
    return 'could be guessed: import only keys that the other product made at random';
  return null;
}

function isPattern(characters: readonly string[]): boolean {
  if (new Set(characters).size < MIN_DISTINCT) return true;
  const codes = characters.map((character) => character.charCodeAt(0));
  const steps = codes.filter((code, i) => i > 0 && Math.abs(code - (codes[i - 1] ?? 0)) <= 1);
  if (steps.length > codes.length * MAX_STEPS) return true;
  const triples = characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(''));
  return new Set(triples).size < triples.length * MIN_DISTINCT_TRIPLES;
}
