import { LosslessNumber } from 'lossless-json';

/** A parsed JSON document. A number that JavaScript would write differently keeps the digits that were sent. */
export type JsonValue = null | boolean | number | string | LosslessNumber | JsonValue[] | JsonObject;

export type JsonObject = { [key: string]: JsonValue };

/** How deep lists and objects of a payload may be nested. */
export const MAX_DEPTH = 64;

/** Returns whether a value is a JSON object. A number that keeps its digits is not one, although it is a JavaScript object. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber)
  );
}

const [SPACE, DELETE] = [0x20, 0x7f];

/**
 * Returns true for an absent value, null and blank text, and false for `0` and `false`. Lists and objects are never blank here:
 * whether one is empty shows when it is written as text.
 */
export function isBlank(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'string') return false;
  const first = value.charCodeAt(0);
  // The first character usually decides.
  if (first > SPACE && first < DELETE) return false;
  return !VISIBLE.test(limitText(value));
}

/** Spaces, control characters, and characters that are shown as nothing, such as a zero-width space or a Hangul filler. */
const NOT_SHOWN = '\\s\\p{Z}\\p{Cc}\\p{Cf}\\u034f\\u115f\\u1160\\u2800\\u3164\\uffa0';
const VISIBLE = new RegExp(`[^${NOT_SHOWN}]`, 'u');

/** Returns whether a UTF-16 unit is shown as nothing. */
export const isInvisible = (unit: number): boolean =>
  unit <= SPACE || (unit >= DELETE && !VISIBLE.test(String.fromCharCode(unit)));

/** Returns whether a text has more than spaces, punctuation and symbols such as `|`. An emoji counts as a word. */
export const hasWords = (text: string): boolean => /[\p{L}\p{N}\p{So}]/u.test(text);

/**
 * UTF-16 units that are ever needed of one value: the longest field is truncated at 16 KiB, and one unit more shows that
 * something was truncated. This keeps a 1 MiB string from being copied, trimmed and searched for every field of every alert.
 */
export const MAX_TEXT = 16 * 1024 + 1;

/** Returns the part of a text that is ever needed. */
export const limitText = (text: string): string => (text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);

/** Listing this few keys costs almost nothing. */
const FEW_KEYS = 20;

/**
 * Lists the keys of an object once for everything that is done with a payload: for a hundred thousand keys this takes
 * milliseconds, and a thousand alerts may ask for the same object.
 */
export class KeyLists {
  #known: Map<JsonObject, readonly string[]> | null = null;

  of(object: JsonObject): readonly string[] {
    const known = this.#known?.get(object);
    if (known) return known;
    const keys = Object.keys(object);
    // Most objects are small and listed once.
    if (keys.length <= FEW_KEYS) return keys;
    this.#known ??= new Map();
    this.#known.set(object, keys);
    return keys;
  }
}
