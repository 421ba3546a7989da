import type { Database } from '../../../db/client/connect.js';
import { inTransaction } from '../../../db/client/transaction.js';
import type { GroupingCheck, RemapPlan } from './plan.js';
import { advance, compareSteps, type RemapStep } from './write-steps.js';

/** The check before its first event. */
export const NO_GROUPING_CHECK: GroupingCheck = { seen: 0, after: null, events: 0, first: null };

/** Counts the events of these steps whose items would move to other alerts, and returns the updated plan. Writes no alerts. */
export function checkSteps(
  database: Database,
  plan: RemapPlan,
  steps: readonly RemapStep[],
  { jobId, webhookId }: { jobId: string; webhookId: string },
): Promise<RemapPlan> {
  return inTransaction(database, async (transaction) => {
    const changes = await compareSteps(transaction, webhookId, steps);
    const moved = changes.filter(({ regroups }) => regroups);
    const { receivedAt, id } = (steps.at(-1) as RemapStep).place;
    const before = plan.check ?? NO_GROUPING_CHECK;
    const check = {
      seen: before.seen + steps.length,
      after: { receivedAt: receivedAt.toISOString(), id },
      events: before.events + moved.length,
      first: before.first ?? moved[0]?.id ?? null,
    };
    return advance(transaction, plan, { ...plan, check }, { jobId });
  });
}

/** Says why a part of the events cannot be mapped again. */
export const describeGroupingChanges = ({ seen, events, first }: GroupingCheck): string =>
  `${events} of ${seen} ${seen === 1 ? 'event' : 'events'} would get another dedupKey or status, first event ${first}. ` +
  'Their alerts may also contain events that this remap leaves out. Nothing was written. ' +
  'Remap all events: leave out from, to and onlyIncomplete.';
