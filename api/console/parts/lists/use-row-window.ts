import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { isTyping } from '../is-typing.ts';

/** A list of up to this many rows is in the page as a whole, so that the browser finds and scrolls to all of it. */
export const SHORT = 60;
/** Rows above and below the visible ones. */
const OVERSCAN = 10;
/** Until a row has been measured. */
const ROW_PX = 58;

/**
 * Tells which rows of a table are in the page: all of a short list, and those in view of a long one, so that the cost of a list does
 * not grow with its rows. `above` and `below` are the heights of the others, in pixels. All rows are in the page while it is printed.
 * @param ids of all rows; a new array when any of them changes
 */
export function useRowWindow(body: RefObject<HTMLTableSectionElement | null>, ids: readonly string[]) {
  const isLong = ids.length > SHORT;
  const top = useTop(body);
  const isPrinting = useIsPrinting();
  const goToEnd = useEndKey(isLong);
  const estimate = useRef(ROW_PX);
  const rows = useWindowVirtualizer({
    count: ids.length,
    estimateSize: useCallback(() => estimate.current, []),
    getItemKey: useCallback((index: number) => ids[index] as string, [ids]),
    overscan: isPrinting ? ids.length : isLong ? OVERSCAN : SHORT,
    scrollMargin: top,
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  // The browser itself keeps the rows in view in place when those above turn out to be higher.
  rows.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  const items = rows.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const width = rows.scrollRect?.width;
  // Measured again when the data or the width of the page changes. A row that only scrolls keeps its height.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  const measured = useMemo(() => new WeakMap<Element, number>(), [ids, width]);
  useLayoutEffect(() => {
    const elements = [...(body.current?.rows ?? [])].filter((row) => !row.hasAttribute('data-space'));
    for (const [at, element] of elements.entries()) {
      const index = (first?.index ?? 0) + at;
      if (measured.get(element) === index) continue;
      measured.set(element, index);
      const { height } = element.getBoundingClientRect();
      // Most rows are as high as the first. An exact estimate saves a second rendering of each row that comes into view.
      if (index === 0) estimate.current = height;
      rows.resizeItem(index, height);
      // Screen readers tell the place of a row among those that are not in the page. The head is the first row.
      element.ariaRowIndex = isLong ? String(index + 2) : null;
    }
    goToEnd(last?.index === ids.length - 1);
  });
  return {
    first: first?.index ?? 0,
    end: (last?.index ?? -1) + 1,
    above: first ? first.start - top : 0,
    below: last ? rows.getTotalSize() - (last.end - top) : rows.getTotalSize(),
    inView: rows.range?.startIndex ?? 0,
  };
}

/** Returns how far the rows are from the top of the document, in pixels. They move when the page above them changes its height. */
function useTop(body: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      if (body.current) setTop(Math.round(body.current.getBoundingClientRect().top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [body]);
  return top;
}

/** Returns whether the page is about to be printed. */
function useIsPrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    // The browser prints what is in the page when this event ends.
    const update = ({ type }: Event) => flushSync(() => setPrinting(type === 'beforeprint'));
    window.addEventListener('beforeprint', update);
    window.addEventListener('afterprint', update);
    return () => {
      window.removeEventListener('beforeprint', update);
      window.removeEventListener('afterprint', update);
    };
  }, []);
  return isPrinting;
}

/** What the user does to scroll elsewhere. */
const OTHER_MOVES = ['wheel', 'pointerdown', 'touchstart'] as const;

/**
 * Lets the key End scroll to the last row of a long list. The browser scrolls to where the list seems to end; the rows there are then
 * higher than estimated and move its end. Returns a function to be called once the rows in view are measured: it scrolls on if End was
 * pressed and the end is not reached.
 */
function useEndKey(isLong: boolean): (isLastRowIn: boolean) => void {
  const isPressed = useRef(false);
  const lastHeight = useRef(0);
  useEffect(() => {
    if (!isLong) return;
    const note = (event: KeyboardEvent) => {
      isPressed.current = event.key === 'End' && !isTyping(event);
    };
    const forget = () => {
      isPressed.current = false;
    };
    window.addEventListener('keydown', note);
    for (const move of OTHER_MOVES) window.addEventListener(move, forget, { passive: true });
    return () => {
      window.removeEventListener('keydown', note);
      for (const move of OTHER_MOVES) window.removeEventListener(move, forget);
    };
  }, [isLong]);
  return (isLastRowIn) => {
    if (!isPressed.current) return;
    const { clientHeight, scrollHeight, scrollTop } = document.documentElement;
    const isAtEnd = isLastRowIn && scrollTop + clientHeight >= scrollHeight - 1;
    const isSettled = scrollHeight === lastHeight.current;
    lastHeight.current = scrollHeight;
    if (isAtEnd && isSettled) isPressed.current = false;
    else if (!isAtEnd) window.scrollTo({ top: scrollHeight, behavior: 'instant' });
  };
}
