import type { Database } from '../../../db/client/connect.js';
import { isContentRejected } from '../../../db/client/errors.js';
import { inTransaction } from '../../../db/client/transaction.js';
import type { NewEvent } from '../../../db/events/new-event.js';
import type { TimePosition } from '../../../db/events/newest-first.js';
import { alertsOfEvents, lockEvents, replaceAlerts } from '../../../db/events/remap-events.js';
import { advancePlan, findPlan } from '../../../db/jobs/job-lifecycle.js';
import { compareAlerts, type EventChange } from './compare-alerts.js';
import { addCounts, type RemapCounts, type RemapPlan, remapPlan } from './plan.js';

/** One stored event of a remap. */
export interface RemapStep {
  place: TimePosition;
  /** The event as it is mapped now; null if it is skipped. */
  mapped: NewEvent | null;
}

interface Writing {
  jobId: string;
  dryRun: boolean;
}

/**
 * Writes the events of these steps, or only counts them in a dry run, and returns the updated plan. If the database rejects
 * their content, writes each half separately. The one event that causes the error stays as it is.
 */
export async function writeSteps(
  database: Database,
  plan: RemapPlan,
  steps: readonly RemapStep[],
  writing: Writing,
): Promise<RemapPlan> {
  try {
    return await inTransaction(database, async (transaction) => {
      const changes = await compareAll(transaction, steps);
      if (!writing.dryRun) {
        const events = changes.flatMap(({ write }) => write ?? []);
        const surplus = changes.flatMap((change) => change.surplus);
        await replaceAlerts(transaction, events, surplus);
      }
      return advance(transaction, plan, steps, changes, writing);
    });
  } catch (error) {
    if (!isContentRejected(error)) throw error;
    if (steps.length === 1) return advance(database, plan, steps, [REJECTED], writing);
    const middle = steps.length >> 1;
    const halfway = await writeSteps(database, plan, steps.slice(0, middle), writing);
    return writeSteps(database, halfway, steps.slice(middle), writing);
  }
}

const REJECTED = { counts: { events: 1, failed: 1 } };

type Transaction = Parameters<Parameters<typeof inTransaction>[1]>[0];

async function compareAll(transaction: Transaction, steps: readonly RemapStep[]): Promise<EventChange[]> {
  const mapped = steps.flatMap((step) => step.mapped ?? []);
  if (mapped.length === 0) return [];
  const existing = await lockEvents(
    transaction,
    mapped.map(({ id }) => id),
  );
  const alerts = await alertsOfEvents(transaction, [...existing]);
  // Events that have expired in the meantime are skipped.
  return mapped
    .filter(({ id }) => existing.has(id))
    .map((event) => compareAlerts(event, alerts.get(event.id) ?? []));
}

async function advance(
  database: Database,
  plan: RemapPlan,
  steps: readonly RemapStep[],
  changes: readonly { counts: Partial<RemapCounts> }[],
  { jobId }: Writing,
): Promise<RemapPlan> {
  const { receivedAt, id } = (steps.at(-1) as RemapStep).place;
  const advanced: RemapPlan = {
    ...plan,
    seen: plan.seen + steps.length,
    after: { receivedAt: receivedAt.toISOString(), id },
    counts: changes.reduce((sum, { counts }) => addCounts(sum, counts), plan.counts),
  };
  if (await advancePlan(database, jobId, plan, advanced)) return advanced;
  const stored = remapPlan.safeParse(await findPlan(database, jobId));
  if (stored.success && isSamePlace(stored.data, advanced)) return stored.data;
  throw new Error('the job has ended, or another worker has resumed it');
}

/**
 * True if these steps were committed before: the response to their COMMIT was lost, and writing them again changed nothing.
 * The stored plan has the correct counts; the second attempt counted everything as unchanged.
 */
const isSamePlace = (one: RemapPlan, other: RemapPlan): boolean =>
  one.seen === other.seen && one.after?.id === other.after?.id;
