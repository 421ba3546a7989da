import type { Queue } from 'bullmq';
import { z } from 'zod';
import { defineContract } from './contract.js';

/** Every version: the payload says nothing, and each release does its own upkeep. */
const payload = z.object({ version: z.number() });
export const UPKEEP_EVERY_MS = 60_000;

/** Upkeep of tables and files, once a minute. It has no row in `jobs`: the next turn does what a failed one did not. */
export const upkeep = defineContract({
  name: 'upkeep',
  queues: ['upkeep'],
  payload,
  params: z.never(),
  options: { attempts: 1 },
  globalConcurrency: 1,
});

/**
 * Schedules a turn every minute, shared by all workers. A turn that takes longer delays the next one: only one worker has a turn.
 * If the clock was set back, the next turn may be hours away; it is then scheduled again from now on.
 */
export async function scheduleUpkeep(queue: Queue): Promise<void> {
  await queue.setGlobalConcurrency(upkeep.globalConcurrency);
  const { next = 0 } = (await queue.getJobScheduler(upkeep.name)) ?? {};
  if (next > Date.now() + 2 * UPKEEP_EVERY_MS) await queue.removeJobScheduler(upkeep.name);
  const opts = { removeOnComplete: true, removeOnFail: true };
  await queue.upsertJobScheduler(
    upkeep.name,
    { every: UPKEEP_EVERY_MS },
    { name: upkeep.name, data: { version: 1 }, opts },
  );
}
