import type { Job as QueuedJob } from 'bullmq';
import { z } from 'zod';
import { crashesOf } from '../../queues/bullmq-internals.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import { WorkerClosing } from '../../run/errors.js';
import { retryWhileDatabaseUnavailable } from '../../run/retry-while-unavailable.js';
import type { WorkerServices } from '../../run/services.js';
import type { EventWriter } from './event-writer.js';

/** After this many crashes of its workers, a batch is probed. After this many crashes alone, an event is quarantined. */
const MAX_CRASHES = 5;

/**
 * The part of a batch that is being probed: `count` events from index `at`, and how often a worker started to write them.
 * Stored as the job's progress.
 */
const probeSchema = z.object({ at: z.number(), count: z.number(), starts: z.number() });
type Probe = z.infer<typeof probeSchema>;

/**
 * True if workers crashed repeatedly while they held this batch. The batch need not be the cause: a worker holds other
 * batches at the same time, and processes and machines crash for other reasons. `probeBatch` finds out.
 */
export const isCrashLooping = (queued: QueuedJob): boolean => crashesOf(queued) >= MAX_CRASHES;

/**
 * Writes a batch while this process writes nothing else: first as a whole and, if a worker crashes even then, event by
 * event. After a crash it resumes where it was. An event that crashes a worker five times in a row, alone, is quarantined.
 */
export async function probeBatch(
  queued: QueuedJob,
  events: readonly IntakeEvent[],
  writer: EventWriter,
  { closing, log }: WorkerServices,
): Promise<void> {
  let probe = resumeProbe(queued.progress, events.length);
  while (probe.at < events.length) {
    const part = events.slice(probe.at, probe.at + probe.count);
    const [event] = part;
    if (probe.starts >= MAX_CRASHES && event) {
      log.error({ eventId: event.id }, 'an event crashed its workers repeatedly; it is quarantined');
      await retryWhileDatabaseUnavailable(closing, () => writer.quarantine(event));
    } else {
      const around = countStart(queued, probe, closing);
      await retryWhileDatabaseUnavailable(closing, () => writer.writeExclusively(part, around));
    }
    probe = { at: probe.at + probe.count, count: 1, starts: 0 };
  }
}

/** Returns where the last worker was. A whole batch that was started once before, and crashed, goes on event by event. */
function resumeProbe(progress: unknown, count: number): Probe {
  const { data: stored = { at: 0, count, starts: 0 } } = probeSchema.safeParse(progress);
  return stored.count > 1 && stored.starts > 0 ? { at: stored.at, count: 1, starts: 0 } : stored;
}

/**
 * Stores one more start before a write, and takes it back if the write ends in an error, which does not count as a crash. When
 * the process shuts down it takes the start back at once, because the process is killed after a while even if the write hangs.
 */
function countStart(queued: QueuedJob, probe: Probe, closing: AbortSignal) {
  const takeBack = () => queued.updateProgress(probe);
  const onClosing = () => void takeBack().catch(() => {});
  return async (write: () => Promise<void>): Promise<void> => {
    if (closing.aborted) throw new WorkerClosing('closing');
    closing.addEventListener('abort', onClosing);
    try {
      await queued.updateProgress({ ...probe, starts: probe.starts + 1 });
      await write();
    } catch (error) {
      await takeBack();
      throw error;
    } finally {
      closing.removeEventListener('abort', onClosing);
    }
  };
}
