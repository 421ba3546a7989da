import { useEffect } from 'react';

/** Goes to the section that the fragment of the address names. The browser has looked for it before it was in the page. */
export function useFragment(): void {
  useEffect(() => {
    const section = document.getElementById(location.hash.slice(1));
    section?.scrollIntoView();
    section?.focus({ preventScroll: true });
  }, []);
}
