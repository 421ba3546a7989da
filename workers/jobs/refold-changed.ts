import type { JobWarning } from '../../db/jobs/jobs.js';
import { refoldMarked } from '../events/series/refold-series.js';
import { JobCanceled, WorkerClosing } from '../run/errors.js';
import type { ProgressKeeper } from '../run/progress.js';
import type { WorkerServices } from '../run/services.js';

/**
 * Folds the series that a job has marked: those of an integration, or all. Also after a cancellation, so only closing the worker stops it.
 * @returns a warning if the database rejected alerts of some series
 */
export async function refoldChanged(
  webhookId: string | null,
  progress: ProgressKeeper,
  { database, closing, log }: WorkerServices,
): Promise<JobWarning[]> {
  const own = webhookId?.toLowerCase() ?? null;
  const { rejected } = await refoldMarked(database, {
    isDue: (id) => own === null || id === own,
    run: async (query) => {
      if (closing.aborted) throw new WorkerClosing('closing');
      const result = await query();
      progress.moveOn();
      saveProgress(progress);
      return result;
    },
  });
  if (rejected.size === 0) return [];
  log.warn({ webhookId, series: rejected.size }, 'the database rejected alerts of series');
  const message =
    `The database rejected the alerts of ${rejected.size.toLocaleString('en-US')} deduplication keys, which ` +
    'still show their state before this job. Muster tries again every minute.';
  return [{ code: 'series_rejected', message, count: rejected.size }];
}

/** Saves the progress if that is due. The fold is not canceled: it makes the stored events and the alerts agree. */
function saveProgress(progress: ProgressKeeper): void {
  try {
    progress.checkpoint();
  } catch (error) {
    if (!(error instanceof JobCanceled)) throw error;
  }
}
