import { paramsOfOpenJobs } from '../../db/jobs/jobs-upkeep.js';
import { refoldMarked } from '../events/series/refold-marked.js';
import { alertRemap, alertRemapParams } from '../queues/contracts/alert-remap.js';
import { WorkerClosing } from '../run/errors.js';
import type { UpkeepTask } from './task.js';

/** After this time, a turn leaves the other series to the next one, so that other upkeep does not wait. */
const TURN_MS = 5_000;

/** Folds series again that a remap changed before it failed. While a remap of their integration is open, they are left to it. */
export const refoldLeftSeries: UpkeepTask = {
  name: 'refold left series',
  async *run({ database, closing, log }) {
    const params = await paramsOfOpenJobs(database, alertRemap.name);
    const remapped = new Set(
      params.map((job) => alertRemapParams.safeParse(job).data?.webhookId.toLowerCase()),
    );
    const end = performance.now() + TURN_MS;
    const { folded, rejected } = await refoldMarked(database, {
      isDue: (webhookId) => !remapped.has(webhookId),
      isOver: () => performance.now() >= end,
      run: async (query) => {
        if (closing.aborted) throw new WorkerClosing('closing');
        return query();
      },
    });
    if (rejected.size > 0) log.warn({ series: rejected.size }, 'the database rejected alerts of series');
    yield folded;
  },
};
