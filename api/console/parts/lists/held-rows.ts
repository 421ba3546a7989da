/** The rows that a reader sees, and those above them that came since. */
export interface HeldRows<Row> {
  shown: Row[];
  waiting: number;
}

/**
 * Holds back what came after the row that stood on top when the reader began to read, so that nothing moves under the
 * eyes. Without such a row, or when it is gone, all are shown.
 */
export function holdRows<Row extends { id: string }>(
  rows: readonly Row[],
  topId: string | null,
): HeldRows<Row> {
  const place = topId === null ? 0 : rows.findIndex(({ id }) => id === topId);
  const waiting = Math.max(place, 0);
  return { shown: rows.slice(waiting), waiting };
}
