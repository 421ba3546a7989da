import { BACKSLASH, CLOSE_ARRAY, OPEN_ARRAY, QUOTE } from './marks.js';

/** `[` and `{` differ only in this bit, and so do `]` and `}`. */
const CASE = 0x20;

/**
 * Follows the brackets and strings of a JSON text without parsing it. Takes UTF-16 units or UTF-8 bytes, in pieces of any size:
 * JSON's marks are ASCII, and in UTF-8 no other character contains their bytes.
 */
export class JsonNesting {
  /** How many brackets are open. */
  depth = 0;
  inString = false;
  #isEscaped = false;

  take(code: number): void {
    if (this.inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === BACKSLASH) this.#isEscaped = true;
      else if (code === QUOTE) this.inString = false;
    } else if (code === QUOTE) this.inString = true;
    else if ((code & ~CASE) === OPEN_ARRAY) this.depth++;
    else if ((code & ~CASE) === CLOSE_ARRAY) this.depth--;
  }
}

/**
 * Returns whether the brackets of a JSON text are nested deeper than `depth`, outside strings. Does not parse, so a text that
 * would overflow a parser's stack costs no more than any other.
 */
export const isTextDeeperThan = (text: string, depth: number): boolean =>
  opensMoreThan(text, depth) && depthOf(text) > depth;

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

/** Returns how deep brackets are nested outside strings. */
function depthOf(text: string): number {
  const nesting = new JsonNesting();
  let deepest = 0;
  for (let at = 0; at < text.length; at++) {
    nesting.take(text.charCodeAt(at));
    if (nesting.depth > deepest) deepest = nesting.depth;
  }
  return deepest;
}
