import { useEffect } from 'react';

/** How long the lists above a section may take to load. */
const LOADING_MS = 2_000;
const INPUTS = ['wheel', 'touchmove', 'keydown', 'pointerdown'];

/**
 * Goes to the section that the fragment of the address names: the browser has looked for it before it was in the page. While the page
 * loads, it stays there, unless the user does something.
 */
export function useFragment(): void {
  useEffect(() => {
    const section = document.getElementById(location.hash.slice(1));
    if (!section) return;
    section.focus({ preventScroll: true });
    const observer = new ResizeObserver(() => section.scrollIntoView());
    observer.observe(document.body);
    const stop = () => observer.disconnect();
    const timer = setTimeout(stop, LOADING_MS);
    for (const input of INPUTS) window.addEventListener(input, stop, { once: true });
    return () => {
      stop();
      clearTimeout(timer);
      for (const input of INPUTS) window.removeEventListener(input, stop);
    };
  }, []);
}
