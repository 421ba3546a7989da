import { StoreUnavailable } from './errors.js';

/** How long a store on the network may take, in milliseconds. */
export interface Deadlines {
  /** From a request to the head of its response, all retries included. */
  requestMs: number;
  /** Between two chunks of a file, while the reader waits for the next one. */
  idleReadMs: number;
  /** Without progress of an upload, while the store holds it up. Two parts of 8 MiB may be on their way. */
  idleWriteMs: number;
}

export const DEADLINES: Deadlines = { requestMs: 10_000, idleReadMs: 20_000, idleWriteMs: 30_000 };

/**
 * Resolves with the work, or rejects with StoreUnavailable once `ms` are over; `giveUp` then frees what the work holds.
 * A peer that is frozen keeps its connections open, so nothing else tells that it does not respond.
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
 * Calls `onStall` once when nothing has moved for `ms`. It looks ten times in that time and counts: while this process
 * itself is held up, time passes but nobody could move anything.
 * @returns what to call at each move, and at the end
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
