import type { Job as QueuedJob } from 'bullmq';
import { readJobData } from '../../queues/bullmq-internals.js';
import { alertIntake, type IntakeEvent } from '../../queues/contracts/alert-intake.js';
import type { WorkerServices } from '../../run/services.js';
import { eventsOfList } from './listed-event.js';

/** Events that came in one job. They are all written, or the job is retried. */
export interface EventBatch {
  readonly count: number;
  /** The integrations of the events, without duplicates. */
  readonly webhookIds: readonly string[];
  /** Reads the events. Drop them before you wait for the database, so that they can be garbage-collected meanwhile. */
  events(): Promise<readonly IntakeEvent[]>;
}

/** Returns a batch of events that stay in memory. */
export const inMemoryBatch = (events: readonly IntakeEvent[]): EventBatch => ({
  ...describe(events),
  events: async () => events,
});

/**
 * Returns the batch of a job. The first call of `events` releases the events; later calls, which are rare, read them from the
 * queue again. If they were held until they are stored, each garbage collection would copy thousands of them.
 */
export function queuedBatch(queued: QueuedJob, services: WorkerServices): EventBatch {
  let held: readonly IntakeEvent[] | null = parseEvents(queued.data);
  queued.data = null;
  return {
    ...describe(held),
    events: async () => {
      const events = held ?? (await readAgain(queued, services));
      held = null;
      return events;
    },
  };
}

const describe = (events: readonly IntakeEvent[]): Pick<EventBatch, 'count' | 'webhookIds'> => ({
  count: events.length,
  webhookIds: [...new Set(events.map(({ webhookId }) => webhookId))],
});

/** A batch that Muster did not put into the queue, or that was damaged there. */
export class UnreadableBatch extends Error {
  override name = 'UnreadableBatch';
}

/** @throws UnreadableBatch without the text of zod's error, which may quote the events */
function parseEvents(data: unknown): readonly IntakeEvent[] {
  const parsed = alertIntake.payload.safeParse(data);
  if (!parsed.success) throw new UnreadableBatch('the batch cannot be read');
  const { events, lists = [] } = parsed.data;
  return lists.length === 0 ? events : [...events, ...lists.flatMap(eventsOfList)];
}

/** Returns no events if the job is gone: then another worker has stored them. */
async function readAgain(
  queued: QueuedJob,
  { redis, settings }: WorkerServices,
): Promise<readonly IntakeEvent[]> {
  const data = await readJobData(redis, settings.redisPrefix, queued);
  return data === null ? [] : parseEvents(JSON.parse(data));
}
