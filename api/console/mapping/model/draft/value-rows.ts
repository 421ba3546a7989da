/** A row of a value map in the editor. */
export interface ValueRow {
  /** Identifies the row while its texts change. */
  id: number;
  from: string;
  to: string;
}

export const toRows = (values: Record<string, string>): ValueRow[] =>
  Object.entries(values).map(([from, to], id) => ({ id, from, to }));

/** Returns the rows as a map, without the empty ones. */
export const toValues = (rows: readonly ValueRow[]): Record<string, string> =>
  Object.fromEntries(rows.filter((row) => !isEmpty(row)).map(({ from, to }) => [from.trim(), to.trim()]));

/** Returns what is wrong with a row, or null if it is valid. */
export function rowError(row: ValueRow, rows: readonly ValueRow[]): string | null {
  if (isEmpty(row)) return null;
  if (row.from.trim() === '') return 'Enter the payload value.';
  if (row.to.trim() === '') return 'Enter the alert value.';
  if (row.from.length > 255 || row.to.length > 255) return 'Use at most 255 characters.';
  // The map ignores case.
  const same = rows.some((other) => other.id < row.id && fold(other.from) === fold(row.from));
  return same ? 'This value is already listed above.' : null;
}

const isEmpty = ({ from, to }: ValueRow): boolean => from.trim() === '' && to.trim() === '';
const fold = (text: string): string => text.trim().toLowerCase();
