import type { ServerResponse } from 'node:http';
import { overloaded } from '../../http/errors.js';
import { KeyedSemaphore, SemaphoreBusy } from '../../limits/keyed-semaphore.js';

/** A preview takes up to 0.1 s of CPU time. The key of one person changes an option every now and then. */
const perKey = new KeyedSemaphore({ max: 1, maxWaiting: 10, waitMs: 2_000 });

/** Previews of different keys take turns too: several at once would delay every other request by the sum of their steps. */
const ofAll = new KeyedSemaphore({ max: 1, maxWaiting: 100, waitMs: 2_000 });

/**
 * Runs a preview when no other one runs, those of different keys in turns.
 * @returns null if the client is no longer connected when its turn comes; the preview was not started
 * @throws RequestError 503 `overloaded` if too many previews wait, or if the turn does not come within 4 s
 */
export async function inPreviewTurn<T>(
  res: ServerResponse,
  apiKeyId: string,
  preview: () => Promise<T>,
): Promise<T | null> {
  const unlessClosed = async (task: () => Promise<T | null>) => (res.closed ? null : task());
  try {
    return await perKey.run(apiKeyId, () =>
      unlessClosed(() => ofAll.run('previews', () => unlessClosed(preview))),
    );
  } catch (error) {
    if (error instanceof SemaphoreBusy) throw overloaded('Too many previews of uploads are waiting');
    throw error;
  }
}
