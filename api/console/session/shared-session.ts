import { isStorageBlocked } from '../settings/storage.ts';
import { currentKey, hasSignedOut, lastSignOut, onSessionChange, setAsking, signIn } from './session.ts';

/** How long a new tab waits for the sessions of other tabs. They usually reply within 10 ms; a later reply also signs in. */
const REPLY_MS = 80;
/** How long it waits if it knows that another tab has a session, which may be busy. A link with a key must not win against it. */
const BUSY_REPLY_MS = 3_000;

/**
 * Each tab with a session holds this Web Lock, together with the others. Browsers have no locks on pages without TLS, except those of
 * their own machine: there a new tab waits for REPLY_MS only.
 */
const LOCK = 'muster.session';

/** The session of a tab, as it is handed over to another one. */
interface Handover {
  key: string;
  /** The last sign-out when it was handed over. A sign-out since then makes it worthless. */
  signOut: string;
  /** When the tab was last used, in milliseconds since 1970. */
  usedAt: number;
}

/** A message between the tabs. A null handover asks for theirs. */
interface Message {
  handover: Handover | null;
}

/** Only pages of the same origin can open it, and it exists in memory only. Null without storage: a sign-out would not reach other tabs. */
const channel = isStorageBlocked ? null : new BroadcastChannel('muster.session');
const handovers: Handover[] = [];
let usedAt = document.hasFocus() ? Date.now() : 0;
let shared = currentKey();
let onHandover = () => {};
let releaseLock: (() => void) | null = null;
window.addEventListener('focus', () => {
  usedAt = Date.now();
});

function share(): void {
  const key = currentKey();
  if (key === null || hasSignedOut()) return;
  const handover: Handover = { key, signOut: lastSignOut(), usedAt };
  channel?.postMessage({ handover } satisfies Message);
}

/** Signs in with the session of the tab that was used last, unless this tab has a session. */
function adopt(): void {
  const [latest] = handovers
    .splice(0)
    .filter(({ signOut }) => signOut === lastSignOut())
    .sort((one, other) => other.usedAt - one.usedAt);
  if (!latest || currentKey() !== null) return;
  shared = latest.key;
  signIn(latest.key);
}

/**
 * Shares the session with the other tabs of the browser. A tab without a session takes over that of the tab that was used
 * last. A tab that has one keeps it: what the user enters there must not be saved with another key.
 * @returns a promise that resolves when the other tabs have had the time to reply. Until somebody signs in or `setAsking(false)` is
 * called, the console does not ask for a key: that of a link comes first
 */
export async function shareSession(): Promise<void> {
  if (!channel) return;
  let isAsking = false;
  channel.addEventListener('message', ({ data: { handover } }: MessageEvent<Message>) => {
    if (handover === null) share();
    else if (currentKey() === null) {
      handovers.push(handover);
      onHandover();
      if (!isAsking) adopt();
    }
  });
  // After a sign-in, tabs that still ask for a key need not.
  onSessionChange(() => {
    const key = currentKey();
    if (key !== null && key !== shared) share();
    shared = key;
    holdLock(key !== null);
  });
  holdLock(currentKey() !== null);
  if (currentKey() !== null) return;
  isAsking = true;
  setAsking(true);
  channel.postMessage({ handover: null } satisfies Message);
  await untilReplied();
  isAsking = false;
  adopt();
}

/** Resolves when the other tabs have had the time to reply: at once if none has a session, later if one has a session but is busy. */
async function untilReplied(): Promise<void> {
  const isHeld = await isHeldElsewhere();
  if (isHeld === false) return;
  if (isHeld) {
    await new Promise<void>((resolve) => {
      onHandover = resolve;
      setTimeout(resolve, BUSY_REPLY_MS);
    });
  }
  await new Promise((resolve) => setTimeout(resolve, REPLY_MS));
}

/** Returns whether another tab has a session; undefined if that is not known. */
async function isHeldElsewhere(): Promise<boolean | undefined> {
  // A browser that blocks the storage of a site also refuses locks.
  const locks = await navigator.locks?.query().catch(() => undefined);
  return locks?.held?.some(({ name }) => name === LOCK);
}

function holdLock(hasSession: boolean): void {
  if (!hasSession) {
    releaseLock?.();
    releaseLock = null;
  } else if (!releaseLock) {
    const released = new Promise<void>((resolve) => {
      releaseLock = resolve;
    });
    navigator.locks?.request(LOCK, { mode: 'shared' }, () => released).catch(() => {});
  }
}
