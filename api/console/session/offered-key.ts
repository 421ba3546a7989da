import { useSyncExternalStore } from 'react';
import { currentKey, onSessionChange, signIn } from './session.ts';

/**
 * The key of a link that was followed while somebody is signed in with another one. Anybody can send such a link, so it
 * changes the session only when the user agrees: otherwise what they enter next would go to the sender's key.
 */
let offered: string | null = null;
const listeners = new Set<() => void>();

function offer(key: string | null): void {
  offered = key;
  for (const listener of listeners) listener();
}

// An offer is about one session. It must not show up in the next one.
onSessionChange(() => offer(null));

export const declineKey = (): void => offer(null);

export const useOfferedKey = (): string | null => useSyncExternalStore(onOffer, () => offered);

function onOffer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Takes the key of `#key=…` out of the address bar and the history; browsers send a fragment to no server. It signs in
 * when nobody is signed in, and is offered otherwise.
 */
export function takeKeyFromAddress(): void {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  if (!key) return;
  history.replaceState(null, '', location.pathname + location.search);
  const current = currentKey();
  if (current === null) signIn(key);
  else offer(key === current ? null : key);
}
