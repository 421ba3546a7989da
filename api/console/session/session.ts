import { browserStorage, tabStorage } from '../settings/storage.ts';

/**
 * Where the API key of the session is stored. sessionStorage is deleted with the tab, no other site can read it, and
 * unlike a cookie it is never sent automatically.
 */
const KEY_NAME = 'muster.key';

/**
 * Where the last sign-out of the browser is noted: in localStorage for all tabs, and in sessionStorage as it was when the
 * tab's session began. A session that began before the last sign-out has ended, also in a tab that was asleep meanwhile.
 */
const SIGN_OUT_NAME = 'muster.sign-out';

const SIGNED_OUT_ELSEWHERE = 'You signed out in another tab.';

export interface Session {
  key: string | null;
  /** Why the last session ended; null if the user signed out. */
  endedBecause: string | null;
  /** Whether the last session ended because the API rejected its key. */
  wasRejected: boolean;
  /** Whether the other tabs are still being asked for their session. */
  isAsking: boolean;
  /** Whether the key is that of an upload link, which belongs to this page only. */
  isLink: boolean;
}

const listeners = new Set<() => void>();
let session: Session = {
  key: storedKey(),
  endedBecause: null,
  wasRejected: false,
  isAsking: false,
  isLink: false,
};

function change(changes: Partial<Session>): void {
  session = { ...session, ...changes };
  // The tab of a link may have a session of its own, which stays as it is.
  if (!session.isLink) store(session.key);
  for (const listener of listeners) listener();
}

function store(key: string | null): void {
  if (key === null) tabStorage.removeItem(KEY_NAME);
  else {
    tabStorage.setItem(KEY_NAME, key);
    tabStorage.setItem(SIGN_OUT_NAME, lastSignOut());
  }
}

/** Returns what identifies the last sign-out of the browser; an empty text before the first one. */
export function lastSignOut(): string {
  return browserStorage.getItem(SIGN_OUT_NAME) ?? '';
}

/** Returns whether the browser has signed out since the session of this tab began, even if the tab was not told yet. */
export function hasSignedOut(): boolean {
  return (tabStorage.getItem(SIGN_OUT_NAME) ?? '') !== lastSignOut();
}

/** Returns the key of the tab's session; null if there is none or a sign-out has ended it. */
function storedKey(): string | null {
  const key = tabStorage.getItem(KEY_NAME);
  if (key === null || !hasSignedOut()) return key;
  tabStorage.clear();
  return null;
}

function endIfSignedOut(): void {
  if (session.isLink || session.key === null || !hasSignedOut()) return;
  tabStorage.clear();
  change({ key: null, endedBecause: SIGNED_OUT_ELSEWHERE, wasRejected: false });
}

// Browsers send this event to all other tabs, except to pages that wait for the back button.
window.addEventListener('storage', endIfSignedOut);
window.addEventListener('pageshow', endIfSignedOut);

/** Returns the API key of the session; null if nobody is signed in. */
export const currentKey = (): string | null => session.key;

/** Returns whether the last session ended because the API rejected its key. */
export const wasRejected = (): boolean => session.wasRejected;

/** Starts a session with this key. */
export const signIn = (key: string): void =>
  change({ key, endedBecause: null, wasRejected: false, isAsking: false });

/** Makes the text of an upload link the key of this page. Null: the address has none. */
export const openLink = (key: string | null): void =>
  change({ key, endedBecause: null, wasRejected: false, isAsking: false, isLink: true });

/**
 * Ends the session. If the user signs out, this ends the sessions of all tabs and clears their storage for the next user. If
 * the session ends for another reason, drafts and pasted payloads are kept.
 */
export function signOut(endedBecause: string | null = null): void {
  if (endedBecause === null) {
    tabStorage.clear();
    noteSignOut();
  }
  change({ key: null, endedBecause, wasRejected: endedBecause !== null });
}

/** Tells the other tabs. If the storage of the browser is full, its saved views and settings are dropped: a sign-out matters more. */
function noteSignOut(): void {
  const time = String(Date.now());
  try {
    browserStorage.setItem(SIGN_OUT_NAME, time);
  } catch {
    browserStorage.clear();
    browserStorage.setItem(SIGN_OUT_NAME, time);
  }
}

/** Notes whether the other tabs are being asked for their session. Meanwhile the console does not ask for a key. */
export const setAsking = (isAsking: boolean): void => change({ isAsking });

/** Returns the session. It is replaced when it changes. */
export const currentSession = (): Session => session;

/** Calls the listener after each change of the session. Returns a function that stops this. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
