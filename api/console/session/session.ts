import { useSyncExternalStore } from 'react';

/**
 * The API key that the console signs its requests with. It lies in sessionStorage: it ends with the tab, and no other
 * site and no request carries it by itself.
 */
const NAME = 'muster.key';

interface Session {
  key: string | null;
  /** Why the last session ended, when it was not the user's wish. */
  endedBecause: string | null;
}

const listeners = new Set<() => void>();
let session: Session = { key: sessionStorage.getItem(NAME), endedBecause: null };

function change(next: Session): void {
  session = next;
  if (next.key === null) sessionStorage.removeItem(NAME);
  else sessionStorage.setItem(NAME, next.key);
  for (const listener of listeners) listener();
}

export const currentKey = (): string | null => session.key;

export const signIn = (key: string): void => change({ key, endedBecause: null });

/**
 * Ends the session. By the user's wish nothing is left for whoever uses the tab next; when it was ended for a reason,
 * drafts and pasted payloads wait for its next key.
 */
export function signOut(endedBecause: string | null = null): void {
  if (endedBecause === null) sessionStorage.clear();
  change({ key: null, endedBecause });
}

export const useSession = (): Session => useSyncExternalStore(onSessionChange, () => session);

/** Calls it when somebody has signed in or out; the answer stops that. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
