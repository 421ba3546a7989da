import { currentKey, onSessionChange, signIn, wasRejected } from './session.ts';

/**
 * The key of a link that the user opened while signed in with a different key. Anybody can send such a link, so the key
 * replaces the session only after the user agrees. Otherwise the user's next input would be saved with the sender's key.
 */
let offered: string | null = null;
const listeners = new Set<() => void>();

function offer(key: string | null): void {
  offered = key;
  for (const listener of listeners) listener();
}

// An offer belongs to one session and must not appear in the next one. If the API rejects the key of the session, nobody was
// signed in, and the link signs in as it would have done then.
onSessionChange(() => {
  const unanswered = offered;
  if (unanswered === null) return;
  offer(null);
  if (currentKey() === null && wasRejected()) signIn(unanswered);
});

/** Discards the offered key. */
export const declineKey = (): void => offer(null);

/** Returns the offered key; null if there is none. */
export const offeredKey = (): string | null => offered;

/** Calls the listener after each change of the offered key. Returns a function that stops this. */
export function onOffer(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Removes the key of `#key=…` from the address bar and the history. Signs in with it if nobody is signed in, otherwise
 * offers it. The key is in the fragment because browsers never send a fragment to a server.
 * @param shared resolves when the session of another tab, if there is one, is this tab's
 */
export async function takeKeyFromAddress(shared: Promise<void>): Promise<void> {
  const key = new URLSearchParams(location.hash.slice(1)).get('key');
  await shared;
  if (!key) return;
  history.replaceState(null, '', location.pathname + location.search);
  const current = currentKey();
  if (current === null) signIn(key);
  else offer(key === current ? null : key);
}
