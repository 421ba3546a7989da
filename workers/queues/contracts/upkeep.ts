import type { Queue } from 'bullmq';
import { z } from 'zod';
import { defineContract } from './contract.js';

const payload = z.object({ version: z.literal(1) });
const EVERY_MS = 60_000;

/** The service's housekeeping, a turn a minute. It has no row in `jobs`: what one turn misses the next one does. */
export const upkeep = defineContract({
  name: 'upkeep',
  queues: ['upkeep'],
  payload,
  params: z.never(),
  options: { attempts: 1 },
});

/** Sees to it that a turn is due every minute, once for all workers. */
export async function scheduleUpkeep(queue: Queue): Promise<void> {
  const opts = { removeOnComplete: true, removeOnFail: true };
  await queue.upsertJobScheduler(
    upkeep.name,
    { every: EVERY_MS },
    { name: upkeep.name, data: { version: 1 }, opts },
  );
}
