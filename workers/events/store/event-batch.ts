import type { Job as QueuedJob } from 'bullmq';
import { alertIntake, type IntakeEvent } from '../../queues/contracts/alert-intake.js';
import type { Services } from '../../run/services.js';

/** Events that are to be stored together. */
export interface EventBatch {
  readonly count: number;
  /** Of which integrations they are, each once. */
  readonly webhookIds: readonly string[];
  /** The events. Whoever asks must not keep them while it waits for something. */
  events(): Promise<readonly IntakeEvent[]>;
}

/** Events that are in hand anyway. */
export const heldBatch = (events: readonly IntakeEvent[]): EventBatch => ({
  ...about(events),
  events: async () => events,
});

/**
 * The events of a job. They are let go when they are asked for the first time, and read again from the queue should they
 * be needed once more, which is rare. Held until they were stored, thousands of them were copied by each collection of
 * garbage.
 */
export function queuedBatch(queued: QueuedJob, services: Services): EventBatch {
  let held: readonly IntakeEvent[] | null = eventsIn(queued.data);
  queued.data = null;
  return {
    ...about(held),
    events: async () => {
      const events = held ?? (await readAgain(queued, services));
      held = null;
      return events;
    },
  };
}

const about = (events: readonly IntakeEvent[]): Pick<EventBatch, 'count' | 'webhookIds'> => ({
  count: events.length,
  webhookIds: [...new Set(events.map(({ webhookId }) => webhookId))],
});

const eventsIn = (data: unknown): readonly IntakeEvent[] => alertIntake.payload.parse(data).events;

/** None when the job is no more: then another worker has stored them. */
async function readAgain(
  { queueName, id }: QueuedJob,
  { redis, settings }: Services,
): Promise<readonly IntakeEvent[]> {
  const data = await redis.hget(`${settings.redisPrefix}:${queueName}:${id}`, 'data');
  return data === null ? [] : eventsIn(JSON.parse(data));
}
