import { alertIntake } from '../queues/contracts/alert-intake.js';
import { areEmpty, queueDepths } from '../queues/depth.js';
import { forgetPending, pendingEvents } from '../queues/intake-gauge.js';
import type { UpkeepTask } from './task.js';

/** Resets the counts of pending events while the queues are empty: crashes may have made them wrong. */
export const settleIntakeGauge: UpkeepTask = {
  name: 'settle intake gauge',
  async *run({ redis, settings: { redisPrefix } }) {
    const off = [...(await pendingEvents(redis, redisPrefix)).values()].filter((count) => count > 0).length;
    if (!areEmpty(await queueDepths(redis, redisPrefix, alertIntake.queues))) return;
    await forgetPending(redis, redisPrefix);
    yield off;
  },
};
