import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';

/**
 * On navigation does what a browser does when it loads a page: scrolls to the top, and moves a lost focus to the page.
 * Going back is left to the browser, which restores the scroll position.
 */
export function useNavigationReset(pageId: string): void {
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

function isFocusLost(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body;
}
