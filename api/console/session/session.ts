import { useSyncExternalStore } from 'react';

/**
 * Where the API key of the session is stored. sessionStorage is deleted with the tab, no other site can read it, and
 * unlike a cookie it is never sent automatically.
 */
const STORAGE_NAME = 'muster.key';

interface Session {
  key: string | null;
  /** Why the last session ended; null if the user signed out. */
  endedBecause: string | null;
}

const listeners = new Set<() => void>();
let session: Session = { key: sessionStorage.getItem(STORAGE_NAME), endedBecause: null };

function change(next: Session): void {
  session = next;
  if (next.key === null) sessionStorage.removeItem(STORAGE_NAME);
  else sessionStorage.setItem(STORAGE_NAME, next.key);
  for (const listener of listeners) listener();
}

/** Returns the API key of the session; null if nobody is signed in. */
export const currentKey = (): string | null => session.key;

/** Starts a session with this key. */
export const signIn = (key: string): void => change({ key, endedBecause: null });

/**
 * Ends the session. If the user signs out, the tab's storage is cleared for the next user. If the session ends for another
 * reason, drafts and pasted payloads are kept.
 */
export function signOut(endedBecause: string | null = null): void {
  if (endedBecause === null) sessionStorage.clear();
  change({ key: null, endedBecause });
}

/** Returns the current session and rerenders when it changes. */
export const useSession = (): Session => useSyncExternalStore(onSessionChange, () => session);

/** Calls the listener after each sign-in and sign-out. Returns a function that stops this. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
