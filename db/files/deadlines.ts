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
}

export const DEADLINES: Deadlines = { requestMs: 10_000, idleReadMs: 20_000, idleWriteMs: 30_000 };

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
