import { useEffect, useState } from 'react';
import type { Webhook } from '../../http/types.ts';

/** Browsers run a timer that is longer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Returns until when an integration is muted; null if it is not, also as soon as the time is over. */
export function useMutedUntil({ mutedUntil }: Pick<Webhook, 'mutedUntil'>): string | null {
  const [, setEnded] = useState(0);
  const until = mutedUntil === null ? 0 : Date.parse(mutedUntil);
  useEffect(() => {
    const left = until - Date.now();
    if (left <= 0) return;
    const timer = setTimeout(() => setEnded(until), Math.min(left, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  }, [until]);
  return until > Date.now() ? mutedUntil : null;
}
