/** A place in a text: 0-based offset in UTF-16 units, 1-based line and column. */
export interface Position {
  offset: number;
  line: number;
  column: number;
}

export function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n');
  return { offset, line: lines.length, column: (lines.at(-1) as string).length + 1 };
}
