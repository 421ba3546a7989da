import { LosslessNumber } from 'lossless-json';

/** A parsed JSON document. A number that JavaScript would write in another way is kept as the digits that were sent. */
export type JsonValue = null | boolean | number | string | LosslessNumber | JsonValue[] | JsonObject;

export type JsonObject = { [key: string]: JsonValue };

/** Nesting depth of lists and objects that a payload may have. */
export const MAX_DEPTH = 64;

/** An object with keys of its own; a number kept as digits is none, whatever it is made of. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)
  );
}

const [SPACE, DELETE] = [0x20, 0x7f];

/** Null, absent or blank text. `0` and `false` say something. Whether a list or object is empty, its text tells. */
export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'string') return false;
  const first = value.charCodeAt(0);
  // Mostly the first character tells.
  if (first > SPACE && first < DELETE) return false;
  return !/\S/.test(value.length > LONGEST_PIECE ? longestPiece(value) : value);
}

/** Whether a text has more than blanks, punctuation and signs such as `|`; an emoji counts. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}\p{So}]/u.test(text);

/**
 * More of one value is never needed: the longest field is cut at 16 KiB, so one character more tells that there was
 * more. It keeps a 1 MiB string from being copied, trimmed and searched for every field of every alert.
 */
export const LONGEST_PIECE = 16 * 1024 + 1;

export const longestPiece = (text: string): string => text.slice(0, LONGEST_PIECE);

/** To list so few is no work. */
const FEW_KEYS = 20;

/**
 * Lists the keys of an object once for all that is done with a payload: for a hundred thousand keys it takes
 * milliseconds, and a thousand alerts may ask for the same.
 */
export class KeyLists {
  #known: Map<JsonObject, readonly string[]> | null = null;

  of(object: JsonObject): readonly string[] {
    const known = this.#known?.get(object);
    if (known) return known;
    const keys = Object.keys(object);
    // Most objects are small and asked for once.
    if (keys.length <= FEW_KEYS) return keys;
    this.#known ??= new Map();
    this.#known.set(object, keys);
    return keys;
  }
}
