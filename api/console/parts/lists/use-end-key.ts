import { useEffect, useRef } from 'react';
import { isTyping } from '../is-typing.ts';

/** What the user does to scroll elsewhere. */
const OTHER_MOVES = ['wheel', 'pointerdown', 'touchstart'] as const;

/**
 * Lets the key End scroll to the last row of a long list. The browser scrolls to where the list seems to end; the rows there are then
 * higher than estimated and move its end. Returns a function to be called once the rows in view are measured: it scrolls on if End was
 * pressed and the end is not reached.
 */
export function useEndKey(isLong: boolean): (isLastRowIn: boolean) => void {
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
