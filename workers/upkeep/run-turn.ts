import { systemOrigin } from '../../db/audit/entry.js';
import { writeAudit } from '../../db/audit/write-audit.js';
import { inTransaction } from '../../db/client/transaction.js';
import { describeError } from '../process/describe-error.js';
import { pauseWithin } from '../run/retry-while-unavailable.js';
import type { WorkerServices } from '../run/services.js';
import { beginTurn, UpkeepRefused } from './begin-turn.js';
import type { UpkeepTask } from './task.js';

/** How long a turn may take, in milliseconds. */
export interface TurnLimits {
  /** Of one task before the others continue, in the gentle part. */
  sliceMs: number;
  /**
   * For this long, tasks run one after the other and each step is followed by a pause of the same length: half of the time of one connection stays
   * free. Then what is left runs at the same time and without pauses.
   */
  gentleMs: number;
  /** Of all. What is left then is done by the next turn, which is due at once. */
  turnMs: number;
}

const LIMITS: TurnLimits = { sliceMs: 2_000, gentleMs: 15_000, turnMs: 60_000 };

/** The other tasks wait too. Only steps that read many files or fold many series take longer. */
const LONGEST_PAUSE_MS = 1_000;

/** A task that has more to do. */
interface Unfinished {
  task: UpkeepTask;
  steps: AsyncGenerator<number, void>;
  /** Items handled so far. */
  count: number;
}

/**
 * Runs tasks until all are done or the turn is over. If one fails, the others still run.
 * @returns the number of items that each task handled, by its name
 */
export async function runTurn(
  tasks: readonly UpkeepTask[],
  services: WorkerServices,
  limits = LIMITS,
): Promise<Record<string, number>> {
  const turn = await beginTurn(services);
  const startedAt = performance.now();
  const all: Unfinished[] = tasks.map((task) => ({ task, steps: task.run(services, turn), count: 0 }));
  const isOver = () => services.closing.aborted || performance.now() - startedAt >= limits.turnMs;
  const isGentle = () => performance.now() - startedAt < limits.gentleMs;
  const continued = (one: Unfinished) => hasMore(one, services, limits.sliceMs, isGentle);
  let left = all;
  do left = isGentle() ? await oneByOne(left, continued) : await together(left, continued);
  while (left.length > 0 && !isOver());
  await Promise.all(left.map((one) => close(one, services)));
  for (const { task } of left) services.metrics.countUpkeep(task.name, 'unfinished');
  for (const { task, count } of all) {
    if (count > 0) services.log.info({ task: task.name, count }, 'upkeep');
  }
  for (const one of all) await recordRemoval(one, services);
  return Object.fromEntries(all.map(({ task, count }) => [task.name, count]));
}

/** Writes an entry into the audit log for what a task has removed. */
async function recordRemoval(
  { task: { name, removes }, count }: Unfinished,
  { database, log }: WorkerServices,
): Promise<void> {
  if (!removes || count === 0) return;
  const removal = { kind: removes, id: null, name: null, before: { count }, after: null };
  await inTransaction(database, (transaction) =>
    writeAudit(transaction, systemOrigin('upkeep', name), [removal]),
  ).catch((error) =>
    log.warn({ task: name, count, error: describeError(error) }, 'the audit log lacks what upkeep removed'),
  );
}

/** Returns those that have more to do. */
async function oneByOne(
  tasks: readonly Unfinished[],
  hasMoreAfter: (one: Unfinished) => Promise<boolean>,
): Promise<Unfinished[]> {
  const unfinished: Unfinished[] = [];
  for (const one of tasks) if (await hasMoreAfter(one)) unfinished.push(one);
  return unfinished;
}

async function together(
  tasks: readonly Unfinished[],
  hasMoreAfter: (one: Unfinished) => Promise<boolean>,
): Promise<Unfinished[]> {
  const more = await Promise.all(tasks.map(hasMoreAfter));
  return tasks.filter((_, index) => more[index]);
}

/** Ends a task that has more to do, so that it releases what it holds open, such as a folder. */
async function close({ task, steps }: Unfinished, { log }: WorkerServices): Promise<void> {
  try {
    await steps.return();
  } catch (error) {
    log.warn({ task: task.name, error: describeError(error) }, 'upkeep task did not end cleanly');
  }
}

/** Runs steps of a task for a slice. Returns whether it has more to do. */
async function hasMore(
  one: Unfinished,
  services: WorkerServices,
  ms: number,
  isGentle: () => boolean,
): Promise<boolean> {
  const { closing, log, metrics } = services;
  const endAt = performance.now() + ms;
  try {
    while (!closing.aborted && performance.now() < endAt) {
      const startedAt = performance.now();
      const { done, value } = await one.steps.next();
      if (done) {
        metrics.countUpkeep(one.task.name, 'done');
        return false;
      }
      one.count += value;
      const tookMs = performance.now() - startedAt;
      if (isGentle()) await pauseWithin(closing, Math.min(tookMs, LONGEST_PAUSE_MS));
    }
    return true;
  } catch (error) {
    if (error instanceof UpkeepRefused) {
      metrics.countUpkeep(one.task.name, 'refused');
      return false;
    }
    metrics.countUpkeep(one.task.name, 'failed');
    log.warn(
      { task: one.task.name, error: describeError(error) },
      'upkeep task failed; the next turn retries it',
    );
    return false;
  }
}
