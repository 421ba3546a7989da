import { useEffect, useState } from 'react';

/** What waits for its turn, in the order in which it came. */
const waiting = new Set<() => void>();

/** Gives the first one its turn, and each other one a task of its own. */
function giveTurn(): void {
  const [first] = waiting;
  if (!first) return;
  waiting.delete(first);
  first();
  if (waiting.size > 0) setTimeout(giveTurn);
}

/**
 * Returns true once it is this component's turn. A mapping has many editors, and the page would not respond while all of them are
 * created in one task.
 * @param load loads what the component needs, before it waits for its turn
 */
export function useTurn(load: () => Promise<void>): boolean {
  const [isTurn, setTurn] = useState(false);
  useEffect(() => {
    let isGone = false;
    const take = () => setTurn(true);
    const wait = () => {
      if (isGone) return;
      waiting.add(take);
      if (waiting.size === 1) setTimeout(giveTurn);
    };
    load().then(wait, wait);
    return () => {
      isGone = true;
      waiting.delete(take);
    };
  }, [load]);
  return isTurn;
}
