import { useEffect, useRef } from 'react';

/** Calls `review` when Ctrl+S or ⌘S is pressed, also while the user types, unless a dialog is open. */
export function useSaveKey(review: () => void): void {
  const latest = useRef(review);
  latest.current = review;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      if (event.key.toLowerCase() !== 's') return;
      // Saving the page as a file is of no use here.
      event.preventDefault();
      if (document.querySelector('[role="dialog"]') === null) latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
