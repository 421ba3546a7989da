import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/**
 * Does on the way to another page what a browser does when it loads one: the page begins at its top, and the focus is not
 * lost with the link that was followed. The way back is left to the browser, which knows how far down one was.
 */
export function useArrival(pageId: string): void {
  const [location] = useLocation();
  const last = useRef(location);
  const isBack = useRef(false);
  useEffect(() => {
    const note = ({ type }: Event) => {
      isBack.current = type === 'popstate';
    };
    const events = ['popstate', 'pushState', 'replaceState'];
    for (const event of events) window.addEventListener(event, note);
    return () => {
      for (const event of events) window.removeEventListener(event, note);
    };
  }, []);
  useEffect(() => {
    if (last.current === location) return;
    last.current = location;
    if (!isBack.current) window.scrollTo(0, 0);
    if (isFocusLost()) document.getElementById(pageId)?.focus({ preventScroll: true });
  }, [location, pageId]);
}

/** What React hides until the next page has been loaded keeps the focus for a moment, and is nothing to go on from. */
function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.getClientRects().length === 0;
}
