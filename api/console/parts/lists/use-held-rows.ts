import { useEffect, useState } from 'react';
import { type HeldRows, holdRows } from './held-rows.ts';

/** Whoever has gone down this far reads, and is not to be disturbed. */
const READING_PX = 160;

/** Rows of a live list, newest first: new ones come in at once at the top of the page, and wait for a click below it. */
export function useHeldRows<Row extends { id: string }>(
  rows: readonly Row[],
): HeldRows<Row> & { show: () => void } {
  const [topId, setTopId] = useState<string | null>(null);
  const newestId = rows[0]?.id ?? null;
  useEffect(() => {
    const look = () => setTopId((now) => (window.scrollY < READING_PX ? null : (now ?? newestId)));
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [newestId]);
  const show = () => {
    setTopId(null);
    window.scrollTo({ top: 0 });
  };
  return { ...holdRows(rows, topId), show };
}
