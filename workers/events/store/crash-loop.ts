import type { Job as QueuedJob } from 'bullmq';
import { z } from 'zod';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import { WorkerClosing } from '../../run/errors.js';
import { retryWhileDatabaseUnavailable } from '../../run/retry-while-unavailable.js';
import type { Services } from '../../run/services.js';
import type { EventStore } from './event-store.js';

/** So many deaths of its worker make a batch suspect, and so many with one event alone in hand that event guilty. */
const MAX_DEATHS = 5;

/** What of a suspect batch is in hand, kept with its job: events from a place on, and how often a worker began with them. */
const trialSchema = z.object({ at: z.number(), count: z.number(), starts: z.number() });
type Trial = z.infer<typeof trialSchema>;

/**
 * True of a batch whose worker was lost again and again while it had it. The batch need not be to blame: others were in
 * hand at the same time, and processes and machines die of much else. So nothing follows but care, see `storeSuspects`.
 */
export const isSuspect = ({ stalledCounter }: QueuedJob): boolean => stalledCounter >= MAX_DEATHS;

/**
 * Stores a suspect batch while nothing else of this process is in hand: whole, and when a worker was lost with it even so,
 * its events one after the other. What is done is done: a restart goes on where this one ended. An event with which a
 * worker was lost five times in a row, alone, is kept without alerts.
 */
export async function storeSuspects(
  queued: QueuedJob,
  events: readonly IntakeEvent[],
  store: EventStore,
  { closing, log }: Services,
): Promise<void> {
  let trial = resumed(queued.progress, events.length);
  while (trial.at < events.length) {
    const part = events.slice(trial.at, trial.at + trial.count);
    if (trial.starts >= MAX_DEATHS) {
      const [event] = part as [IntakeEvent];
      log.error({ eventId: event.id }, 'an event that ended its worker is quarantined');
      await retryWhileDatabaseUnavailable(closing, () => store.quarantine(event));
    } else
      await retryWhileDatabaseUnavailable(closing, () =>
        store.storeAlone(part, counted(queued, trial, closing)),
      );
    trial = { at: trial.at + trial.count, count: 1, starts: 0 };
  }
}

function resumed(progress: unknown, count: number): Trial {
  const { data: kept = { at: 0, count, starts: 0 } } = trialSchema.safeParse(progress);
  return kept.count > 1 && kept.starts > 0 ? { at: kept.at, count: 1, starts: 0 } : kept;
}

/**
 * Counts a start, and takes it back when it came to an end that is no death, be it a failure. A process that is told to
 * end takes it back at once: it is ended after a while, whatever holds up the write.
 */
function counted(queued: QueuedJob, trial: Trial, closing: AbortSignal) {
  const takeBack = () => queued.updateProgress(trial);
  const onClosing = () => void takeBack().catch(() => {});
  return async (write: () => Promise<void>): Promise<void> => {
    if (closing.aborted) throw new WorkerClosing('closing');
    closing.addEventListener('abort', onClosing);
    try {
      await queued.updateProgress({ ...trial, starts: trial.starts + 1 });
      await write();
    } catch (error) {
      await takeBack();
      throw error;
    } finally {
      closing.removeEventListener('abort', onClosing);
    }
  };
}
