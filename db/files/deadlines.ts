import { StoreUnavailable } from './errors.js';

/** How long a network store may take, in milliseconds. */
export interface Deadlines {
  /** From a request to the headers of its response, including all retries. */
  requestMs: number;
  /** Between two chunks of a file, while the reader waits for the next one. */
  idleReadMs: number;
  /**
   * Without progress of an upload, while the store is the one that holds it up. Two parts of 8 MiB may be in flight.
   */
  idleWriteMs: number;
  /**
   * Without a response to any request while the store holds up an upload; null to wait for `idleWriteMs`. A slow store responds to a
   * small request while it takes long for a part, a frozen one does not.
   */
  frozenWriteMs: number | null;
}

/** For workers: a job can wait, and starts over if it gives up too early. */
export const DEADLINES: Deadlines = {
  requestMs: 10_000,
  idleReadMs: 20_000,
  idleWriteMs: 30_000,
  frozenWriteMs: null,
};

/** For the API: a client waits. */
export const SHORT_DEADLINES: Partial<Deadlines> = { frozenWriteMs: 1_500 };

/**
 * Resolves with the work's result, or rejects with StoreUnavailable after `ms` and calls `giveUp`, which frees what
 * the work holds. A frozen peer keeps its connections open, so only a deadline detects it.
 */
export async function within<T>(ms: number, work: Promise<T>, giveUp: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new StoreUnavailable(`the file store did not respond in ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    giveUp();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const LOOKS = 10;

/**
 * Calls `onStall` once when nothing has moved for `ms`. It checks ten times in that period and counts the checks,
 * because time also passes while this process itself is blocked and cannot move anything.
 * @returns `moved`, to be called at each move, and `stop`
 */
export function watchProgress(
  ms: number,
  isHeldUp: () => boolean,
  onStall: () => void,
): { moved: () => void; stop: () => void } {
  let idleLooks = 0;
  const timer = setInterval(() => {
    idleLooks = isHeldUp() ? idleLooks + 1 : 0;
    if (idleLooks < LOOKS) return;
    clearInterval(timer);
    onStall();
  }, ms / LOOKS);
  const moved = (): void => {
    idleLooks = 0;
  };
  return { moved, stop: () => clearInterval(timer) };
}

/**
 * Calls `onFreeze` once when the store, while it holds up an upload, has not responded to `ask` either for `ms`. Like
 * {@link watchProgress} it counts checks.
 * @param ask resolves when the store has responded, and is called again after a pause; if it rejects, it is called again at once
 * @returns a function that stops the checks
 */
export function watchForFreeze(
  ms: number,
  isHeldUp: () => boolean,
  ask: () => Promise<unknown>,
  onFreeze: () => void,
): () => void {
  let unanswered = 0;
  let isAsking = false;
  const askNow = async (): Promise<void> => {
    isAsking = true;
    await ask().then(
      () => {
        unanswered = -LOOKS;
      },
      () => {},
    );
    isAsking = false;
  };
  const timer = setInterval(() => {
    if (!isHeldUp()) return;
    unanswered += 1;
    if (unanswered > LOOKS) {
      clearInterval(timer);
      onFreeze();
    } else if (unanswered > 0 && !isAsking) void askNow();
  }, ms / LOOKS);
  return () => clearInterval(timer);
}
