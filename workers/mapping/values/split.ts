import type { JsonValue } from './json-value.js';
import { followWithOwnBudget } from './lookup.js';
import { type Path, parsePayloadPath } from './path.js';

/** The path of the list whose elements become alerts. */
export interface Split extends Path {
  /** Whether a payload without the list is itself the only item: `messages|webhook`. A version of a source may send single events. */
  orWhole: boolean;
}

const OR_WHOLE = /\|webhook$/;

/** Parses the path of a split. Returns null if the text is not one. */
export function parseSplit(text: string): Split | null {
  const path = parsePayloadPath(text.replace(OR_WHOLE, ''));
  return path && { ...path, orWhole: OR_WHOLE.test(text) };
}

/** Returns the items of a payload, or null if it has no list to split. */
export function itemsOf(payload: JsonValue, { keys, orWhole }: Split): JsonValue[] | null {
  const list = followWithOwnBudget(payload, keys);
  if (Array.isArray(list)) return list;
  return orWhole ? [payload] : null;
}
