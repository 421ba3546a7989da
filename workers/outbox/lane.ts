import type { Lane } from '../../db/outbox/lanes.js';
import { chunksOf } from '../../db/outbox/places.js';
import { leftOut, noteSettled } from '../../db/outbox/resumed-lanes.js';
import { hasUndelivered } from '../../db/outbox/trouble.js';
import type { Delivery } from './delivery.js';
import { Hold } from './hold.js';
import { type LaneStore, nothingIn } from './lane-store.js';
import { Pass } from './pass.js';

/** How long a lane is left alone after an error. */
const ERROR_REST_S = 10;
/** A destination that has accepted nothing for so long, and of so many messages, is stopped. */
const MAX_FAILING_MS = 3 * 24 * 60 * 60_000;
const MIN_FAILED = 20;

/**
 * Sends what is due in a lane, and gives the lane back. Returns for how many seconds nobody takes it.
 * @param since a `performance.now()` from before it was taken
 */
export async function runLane(
  delivery: Delivery,
  lane: Lane,
  { store, since }: { store: LaneStore; since: number },
): Promise<number> {
  const hold = new Hold(since);
  const giveBack = (restSeconds: number) =>
    store.writes.do({
      ...nothingIn(lane),
      release: { restSeconds, unlessDue: false, repeatSeconds: null },
    });
  try {
    const destination = await store.destinations.do(lane.destinationId);
    if (destination && (await settleResumed(delivery, lane, store))) {
      const isLongGone =
        (lane.failingForMs ?? 0) > MAX_FAILING_MS &&
        (await hasUndelivered(delivery.database, lane, MIN_FAILED));
      return await new Pass(delivery, { lane, destination, store, hold, isLongGone }).run();
    }
    await giveBack(0);
    return 0;
  } catch (error) {
    await giveBack(ERROR_REST_S);
    throw error;
  } finally {
    hold.end();
  }
}

/** Ends what is not to be sent of the messages that waited when the lane was resumed. Returns false if another worker has it, or it was resumed again. */
async function settleResumed({ database }: Delivery, lane: Lane, store: LaneStore): Promise<boolean> {
  if (lane.resume === null) return true;
  const all = await leftOut(database, lane.destinationId, lane.resume);
  for (const ended of chunksOf(all))
    if ((await store.writes.do({ ...nothingIn(lane), ended })) === 'lost') return false;
  return noteSettled(database, lane, lane.resume);
}
