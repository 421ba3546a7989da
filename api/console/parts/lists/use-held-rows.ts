import { useEffect, useState } from 'react';
import { type HeldRows, holdRows } from './held-rows.ts';

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
