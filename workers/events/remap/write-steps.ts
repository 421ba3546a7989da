import type { Knex } from 'knex';
import type { Database } from '../../../db/client/connect.js';
import { isContentRejected } from '../../../db/client/errors.js';
import { inTransaction } from '../../../db/client/transaction.js';
import type { NewEvent } from '../../../db/events/new-event.js';
import type { TimePosition } from '../../../db/events/newest-first.js';
import { alertsOfEvents, lockEvents, replaceAlerts } from '../../../db/events/remap-events.js';
import { advancePlan, findPlan } from '../../../db/jobs/job-lifecycle.js';
import { markForRefold } from '../../../db/series/refold-marks.js';
import { itemsOfEvents, upsertItems } from '../../../db/series/remap-items.js';
import { deleteItems } from '../../../db/series/stored-items.js';
import { compareEvent, type EventChange } from './compare-event.js';
import { addCounts, type RemapCounts, type RemapPlan, remapPlan } from './plan.js';

/** One stored event of a remap. */
export interface RemapStep {
  place: TimePosition;
  /** The event as it is mapped now; null if it is skipped. */
  mapped: NewEvent | null;
}

interface Writing {
  jobId: string;
  webhookId: string;
  dryRun: boolean;
}

/**
 * Writes the events of these steps, or only counts them in a dry run, and returns the updated plan. Series whose items change are marked, to
 * be folded again. If the database rejects the content of events, writes each half separately. The one event that causes the error stays as
 * it is.
 */
export async function writeSteps(
  database: Database,
  plan: RemapPlan,
  steps: readonly RemapStep[],
  writing: Writing,
): Promise<RemapPlan> {
  try {
    return await inTransaction(database, async (transaction) => {
      const changes = await compareSteps(transaction, writing.webhookId, steps);
      if (!writing.dryRun) await writeChanges(transaction, changes);
      return advance(transaction, plan, countedPlan(plan, steps, changes), writing);
    });
  } catch (error) {
    if (!isContentRejected(error)) throw error;
    if (steps.length === 1) return advance(database, plan, countedPlan(plan, steps, [REJECTED]), writing);
    const middle = steps.length >> 1;
    const halfway = await writeSteps(database, plan, steps.slice(0, middle), writing);
    return writeSteps(database, halfway, steps.slice(middle), writing);
  }
}

const REJECTED = { counts: { events: 1, failed: 1 } };

/**
 * Locks the events of these steps, and compares them with what is stored. Events that are skipped, or have expired in the meantime, are left
 * out.
 */
export async function compareSteps(
  transaction: Knex.Transaction,
  webhookId: string,
  steps: readonly RemapStep[],
): Promise<(EventChange & { id: string })[]> {
  const mapped = steps.filter((step) => step.mapped !== null);
  if (mapped.length === 0) return [];
  const wanted = mapped.map(({ place }) => place);
  const locked = await lockEvents(transaction, wanted);
  const places = wanted.filter(({ id }) => locked.has(id));
  const alerts = await alertsOfEvents(transaction, places);
  const items = await itemsOfEvents(transaction, webhookId, places);
  return mapped.flatMap(({ place: { id }, mapped: event }) => {
    const stored = locked.get(id);
    if (!event || !stored) return [];
    const rows = { alerts: alerts.get(id) ?? [], items: items.get(id) ?? [] };
    return { id, ...compareEvent(event, { ...stored, ...rows }) };
  });
}

/** The series are locked last, because events of a frequent key wait for them. */
async function writeChanges(transaction: Knex.Transaction, changes: readonly EventChange[]): Promise<void> {
  const events = changes.flatMap(({ write }) => write ?? []);
  await replaceAlerts(
    transaction,
    events,
    changes.flatMap(({ surplusAlerts }) => surplusAlerts),
  );
  const [items, surplus] = [
    changes.flatMap((change) => change.items),
    changes.flatMap(({ surplusItems }) => surplusItems),
  ];
  await deleteItems(transaction, surplus);
  await upsertItems(transaction, items);
  const keys = changes.flatMap(({ series }) => series);
  if (keys.length === 0) return;
  const from = Math.min(...[...items, ...surplus].map(({ receivedAt }) => receivedAt));
  await markForRefold(transaction, { keys, from, gone: changes.flatMap(({ gone }) => gone) });
}

function countedPlan(
  plan: RemapPlan,
  steps: readonly RemapStep[],
  changes: readonly { counts: Partial<RemapCounts> }[],
): RemapPlan {
  const { receivedAt, id } = (steps.at(-1) as RemapStep).place;
  return {
    ...plan,
    seen: plan.seen + steps.length,
    after: { receivedAt: receivedAt.toISOString(), id },
    counts: changes.reduce((sum, { counts }) => addCounts(sum, counts), plan.counts),
  };
}

/** Stores the advanced plan, and returns it. */
export async function advance(
  database: Database,
  plan: RemapPlan,
  advanced: RemapPlan,
  { jobId }: { jobId: string },
): Promise<RemapPlan> {
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
  one.seen === other.seen &&
  one.after?.id === other.after?.id &&
  one.check?.seen === other.check?.seen &&
  one.check?.after?.id === other.check?.after?.id;
