import { useEffect, useState } from 'react';

/** A user who has scrolled down this far is reading. In pixels. */
const READING_PX = 160;

/** Returns whether the user has scrolled down and reads. */
export const isReading = (): boolean => window.scrollY >= READING_PX;

/** Returns the rows of a live list. New rows appear at once at the top of the page; further down they wait for a click. */
export function useHeldRows<Row extends { id: string }>(
  rows: readonly Row[],
): HeldRows<Row> & { show: () => void } {
  const [topId, setTopId] = useState<string | null>(null);
  const newestId = rows[0]?.id ?? null;
  useEffect(() => {
    const update = () => setTopId((now) => (isReading() ? (now ?? newestId) : null));
    update();
    window.addEventListener('scroll', update, { passive: true });
    return () => window.removeEventListener('scroll', update);
  }, [newestId]);
  const show = () => {
    setTopId(null);
    window.scrollTo({ top: 0 });
  };
  return { ...holdRows(rows, topId), show };
}

/** The visible rows, and the number of newer rows that are held back. */
interface HeldRows<Row> {
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
