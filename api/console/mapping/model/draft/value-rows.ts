/** A line of a value map while it is edited. */
export interface ValueRow {
  /** What it is called while its texts change. */
  id: number;
  from: string;
  to: string;
}

export const toRows = (values: Record<string, string>): ValueRow[] =>
  Object.entries(values).map(([from, to], id) => ({ id, from, to }));

/** A map of the lines; those that say nothing at all are left out. */
export const toValues = (rows: readonly ValueRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter((row) => !isEmpty(row)).map(({ from, to }) => [from.trim(), to.trim()]));

/** What is wrong with a line among the others; null: nothing. */
export function rowError(row: ValueRow, rows: readonly ValueRow[]): string | null {
  if (isEmpty(row)) return null;
  if (row.from.trim() === '') return 'What does the payload say?';
  if (row.to.trim() === '') return 'What is it to be?';
  if (row.from.length > 255 || row.to.length > 255) return 'No more than 255 characters.';
  // The map knows no case.
  const same = rows.some((other) => other.id < row.id && fold(other.from) === fold(row.from));
  return same ? 'It is there above already.' : null;
}

const isEmpty = ({ from, to }: ValueRow): boolean => from.trim() === '' && to.trim() === '';
const fold = (text: string): string => text.trim().toLowerCase();
