import { takeKeyFromAddress } from './offered-key.ts';
import { currentKey, setAsking } from './session.ts';
import { shareSession } from './shared-session.ts';

/** Opens the session of this tab: its own, that of another tab, or that of the key in the address. */
export async function openSession(): Promise<void> {
  const shared = shareSession();
  // A link that is pasted into an open console only changes the hash, without reloading the page.
  window.addEventListener('hashchange', () => void takeKeyFromAddress(shared));
  await takeKeyFromAddress(shared);
  if (currentKey() === null) setAsking(false);
}
