import type { Job as QueuedJob } from 'bullmq';
import { z } from 'zod';
import { patiently } from '../patience.js';
import type { IntakeEvent } from '../queues/alert-intake.js';
import type { Services } from '../services.js';
import type { EventStore } from './event-store.js';

/** So many deaths of its worker make a batch suspect, and so many with one event alone in hand that event guilty. */
const MOST_DEATHS = 5;

/** How far a suspect batch is, kept with its job: the event in hand, and how often a worker began with it. */
const trialSchema = z.object({ at: z.number(), starts: z.number() }).catch({ at: 0, starts: 0 });

/**
 * True of a batch whose worker was lost again and again while it had it. The batch need not be to blame: others were in
 * hand at the same time, and processes and machines die of much else. So nothing follows but care, see `storeSuspects`.
 */
export const isSuspect = ({ stalledCounter }: QueuedJob): boolean => stalledCounter >= MOST_DEATHS;

/**
 * Stores the events of a suspect batch one after the other, each while nothing else of this process is in hand. What is
 * done is done: a restart goes on where this one ended. An event with which a worker was lost five times in a row, alone,
 * is kept without alerts.
 */
export async function storeSuspects(
  queued: QueuedJob,
  events: readonly IntakeEvent[],
  store: EventStore,
  services: Services,
): Promise<void> {
  const { at: first, starts } = trialSchema.parse(queued.progress);
  for (let at = first; at < events.length; at++) {
    const event = events[at] as IntakeEvent;
    const deaths = at === first ? starts : 0;
    if (deaths >= MOST_DEATHS) {
      services.log.error({ eventId: event.id }, 'an event that ended its worker is quarantined');
      await patiently(services.closing, () => store.quarantine(event));
    } else await patiently(services.closing, () => store.storeAlone(event, trial(queued, at, deaths)));
  }
}

/** Counts a start, and takes it back when it came to an end that is no death, be it a failure. */
function trial(queued: QueuedJob, at: number, deaths: number) {
  return async (write: () => Promise<void>): Promise<void> => {
    await queued.updateProgress({ at, starts: deaths + 1 });
    try {
      await write();
    } catch (error) {
      await queued.updateProgress({ at, starts: deaths });
      throw error;
    }
  };
}
