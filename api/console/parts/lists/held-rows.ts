/** The visible rows, and the number of newer rows that are held back. */
export interface HeldRows<Row> {
  shown: Row[];
  waiting: number;
}

/**
 * Holds back the rows above the one that was on top when the user scrolled down, so that the list does not move while it
 * is being read. Without such a row, or if it is gone, all rows are shown.
 */
export function holdRows<Row extends { id: string }>(
  rows: readonly Row[],
  topId: string | null,
): HeldRows<Row> {
  const place = topId === null ? 0 : rows.findIndex(({ id }) => id === topId);
  const waiting = Math.max(place, 0);
  return { shown: rows.slice(waiting), waiting };
}
