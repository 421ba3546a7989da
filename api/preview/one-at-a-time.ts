import type { ServerResponse } from 'node:http';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { overloaded, RequestError } from '../http/errors.js';
import { KeyedSemaphore, SemaphoreBusy } from '../limits/keyed-semaphore.js';

/** A preview takes up to 2 s of CPU time. The key of one person changes an option every now and then. */
const perKey = new KeyedSemaphore({ max: 1, maxWaiting: 10, waitMs: 10_000 });

/** Tasks of different keys run one at a time too: several tasks at once would delay every other request by the sum of their steps. */
const ofAll = new KeyedSemaphore({ max: 1, maxWaiting: 100, waitMs: 10_000 });

/** The request that a task is done for. */
export interface Asker {
  ctx: { res: ServerResponse };
  principal: { id: string };
}

/** Lets other requests run. @throws RequestError if the client is no longer connected, which ends the task */
export type Pause = () => Promise<void>;

/**
 * Runs a CPU-bound task when no other one runs, those of different keys alternately: previews of uploads and mappings, checks of
 * mappings and filters, recognition, and the results and warnings of fields. The task calls `pause` between its steps.
 * @throws RequestError 503 `overloaded` if too many tasks wait, or if the task cannot start within 20 s
 */
export async function oneAtATime<T>(
  { ctx, principal }: Asker,
  task: (pause: Pause) => Promise<T>,
): Promise<T> {
  const requireClient = () => {
    if (ctx.res.closed) throw clientLeft();
  };
  const pause = async () => {
    await yieldToOthers();
    requireClient();
  };
  const started = <Result>(work: () => Promise<Result>) => {
    requireClient();
    return work();
  };
  try {
    return await perKey.run(principal.id, async () =>
      started(() => ofAll.run('', async () => started(() => task(pause)))),
    );
  } catch (error) {
    if (error instanceof SemaphoreBusy)
      throw overloaded('Too many previews and checks of mappings are waiting');
    throw error;
  }
}

/** Nobody receives it. A status that an `Idempotency-Key` does not record, so that the request can be sent again. */
const clientLeft = (): RequestError =>
  new RequestError(408, 'client_disconnected', 'The client disconnected before it got a response.');

/** Resolves to null where the task would end with 503: for what a response can do without. */
export const unlessBusy = <T>(task: Promise<T>): Promise<T | null> =>
  task.catch((error: unknown) => {
    if (error instanceof RequestError && error.code === 'overloaded') return null;
    throw error;
  });
