import { areEmpty, queueDepths } from '../queues/depth.js';
import { forgetPending, pendingEvents } from '../queues/intake-gauge.js';
import { forgetUnusedShards, intakeQueuesInUse } from '../queues/shards/shards-in-use.js';
import type { UpkeepTask } from './task.js';

/**
 * Resets the counts of pending events while the queues are empty, because crashes may have made them wrong, and forgets shards that are
 * no longer in use.
 */
export const settleIntakeGauge: UpkeepTask = {
  name: 'settle-intake-gauge',
  async *run({ redis, settings: { redisPrefix } }) {
    const off = [...(await pendingEvents(redis, redisPrefix)).values()].filter((count) => count > 0).length;
    const queues = await intakeQueuesInUse(redis, redisPrefix);
    if (!areEmpty(await queueDepths(redis, redisPrefix, queues))) return;
    await forgetPending(redis, redisPrefix);
    await forgetUnusedShards(redis, redisPrefix);
    yield off;
  },
};
