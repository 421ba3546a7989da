/** Runs up to the next `|` that is not inside the quotes of a bracketed key. */
const ALTERNATIVE = /(?:\["(?:[^"\\]|\\.)*"\]|\['[^']*'\]|[^|])*/y;

/** Returns the pieces between the bars of a tag's name, with their spaces: `webhook.a | webhook["b|c"]` has two. */
export function splitFirstOf(name: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at <= name.length; ) {
    ALTERNATIVE.lastIndex = at;
    const piece = ALTERNATIVE.exec(name)?.[0] ?? '';
    pieces.push(piece);
    at += piece.length + 1;
  }
  return pieces;
}
