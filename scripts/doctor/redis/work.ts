import type { RedisConnection } from '../../../workers/queues/connection.js';
import { readOverview } from '../../../workers/queues/overview.js';
import { counted, wholeNumber } from '../../../workers/text/quantities.js';
import { type Finding, failure, ok, warning } from '../finding.js';

/** Jobs that are allowed to wait: large imports take turns, and upkeep has time. */
const MAY_WAIT = new Set(['identity-import-large', 'table-upload-large', 'upkeep']);
const OLD_AFTER_S = 120;

/** Reports whether workers run. */
export async function findWorkers(check: string, redis: RedisConnection, prefix: string): Promise<Finding> {
  const { workers } = await readOverview(redis, prefix);
  const held = workers.filter((worker) => worker.held !== null);
  if (held.length > 0)
    return (held.length < workers.length ? warning : failure)(
      check,
      held.map(({ id, held: reason }) => `${id} takes no jobs: ${reason}`).join('; '),
      'Correct the clocks with NTP. The workers then take jobs by themselves.',
    );
  if (workers.length > 0)
    return ok(check, `${counted(workers.length, 'worker')} reported within the last 6 s`);
  return failure(
    check,
    `no worker with REDIS_PREFIX ${prefix} reported within the last 6 s`,
    'Start a worker. If one runs, check its log, and that it has the same REDIS_URL and REDIS_PREFIX.',
  );
}

/** Reports whether jobs wait for long. */
export async function findQueues(check: string, redis: RedisConnection, prefix: string): Promise<Finding> {
  const { depths, eventsPending } = await readOverview(redis, prefix);
  const now = Date.now();
  const late = depths
    .map(({ queue, waiting, oldestAt }) => ({
      queue,
      waiting,
      ageS: oldestAt === null ? 0 : Math.round((now - oldestAt.getTime()) / 1_000),
    }))
    .filter(({ queue, ageS }) => ageS > OLD_AFTER_S && !MAY_WAIT.has(queue));
  const waiting = depths.reduce((sum, depth) => sum + depth.waiting, 0);
  if (late.length === 0)
    return ok(check, `${counted(waiting, 'job')} waiting, ${counted(eventsPending, 'event')} pending`);
  const texts = late.map(
    (one) =>
      `${one.queue}: ${counted(one.waiting, 'job')} waiting, the oldest for ${wholeNumber(one.ageS)} s`,
  );
  return warning(check, texts.join('; '), 'Add workers, or check their logs for errors.');
}
