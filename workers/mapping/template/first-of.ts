/** One path of a first-of tag, and its position in the tag's name. */
export interface Alternative {
  text: string;
  /** UTF-16 units from the start of the name. */
  start: number;
}

/** Matches up to the next `|` that is not inside the quotes of a bracketed key. */
const ALTERNATIVE = /(?:\["(?:[^"\\]|\\.)*"\]|\['[^']*'\]|[^|])*/y;

/**
 * Splits the name of a tag into the paths that it tries in order: `webhook.a|webhook.b` has two, `webhook["a|b"]` has one. An
 * empty alternative is returned as an empty text, which is not a path.
 */
export function splitFirstOf(name: string): Alternative[] {
  if (!name.includes('|')) return [{ text: name, start: 0 }];
  const found: Alternative[] = [];
  for (let at = 0; at <= name.length; ) {
    ALTERNATIVE.lastIndex = at;
    const text = ALTERNATIVE.exec(name)?.[0] ?? '';
    found.push({ text: text.trim(), start: at + (text.length - text.trimStart().length) });
    at += text.length + 1;
  }
  return found;
}
