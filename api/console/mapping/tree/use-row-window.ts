import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';

/** Rows above and below the visible ones. */
const OVERSCAN = 12;
/** The heights of a row in `tree.module.css`, in rem. */
const HEIGHT_REM = { fine: 1.85, coarse: 2.4 };

/**
 * Tells which of the tree's rows are in the page: those in view and the active one, which has the focus or is dragged. The cost of a
 * tree therefore does not grow with the payload.
 */
export function useRowWindow(count: number, active: number) {
  const element = useRef<HTMLDivElement>(null);
  const height = rowHeight();
  const rows = useVirtualizer({
    count,
    getScrollElement: () => element.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.min(active, count - 1)])].sort((a, b) => a - b),
  });
  return { element, items: rows.getVirtualItems(), height: rows.getTotalSize() };
}

function rowHeight(): number {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return rem * (matchMedia('(pointer: coarse)').matches ? HEIGHT_REM.coarse : HEIGHT_REM.fine);
}
