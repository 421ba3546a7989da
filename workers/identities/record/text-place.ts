/** A place in a document. Both from 1; columns are UTF-16 units. */
export interface Place {
  line: number;
  column: number;
}

/** Returns the place after a text that starts at this place. */
export function advanced({ line, column }: Place, text: string): Place {
  const last = text.lastIndexOf('\n');
  if (last < 0) return { line, column: column + text.length };
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return { line: line + lines, column: text.length - last };
}

/** Returns the place of the bracket that is put before an element. */
export const before = ({ line, column }: Place): Place => ({ line, column: column - 1 });
