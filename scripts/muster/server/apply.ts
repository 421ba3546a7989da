import { UploadFailure } from '../../upload/failure.js';
import { MAX_AT_ONCE, mapAtOnce } from '../at-once.js';
import { REFERENCES, shownReference } from '../files/references.js';
import { kindOf } from './kinds.js';
import type { Plan } from './plan.js';
import { type Applied, type PlannedChange, refused } from './planned-change.js';
import type { Applying } from './server-kind.js';

/** How a plan is applied. */
interface Options extends Applying {
  plan: Plan;
  /** Whether nothing is applied if one change is refused. */
  allOrNothing: boolean;
  /** Gets what became of each change as soon as that is known. */
  onDone: (applied: Applied) => void;
}

/**
 * Does what a plan says, each change as a whole or not at all, in the order of the plan. What is not as it was when the plan was made is
 * refused by name, and with it what refers to it; what is already done is left. All changes are checked before the first one is made.
 * @throws Unavailable, UploadFailure, UsageError
 */
export async function applyPlan(applying: Options): Promise<void> {
  const { plan, allOrNothing, onDone } = applying;
  const checked = await mapAtOnce(plan.changes, MAX_AT_ONCE, (change) =>
    rejectedAs(change, check(applying, change)),
  );
  const isStopped = allOrNothing && checked.some(({ outcome }) => outcome === 'refused');
  const held: PlannedChange[] = [];
  for (const one of checked) {
    const { change } = one;
    const cause = referenceTo(held, change);
    let done = one;
    if (one.outcome === 'applied') {
      if (isStopped) done = refused(change, 'another change was refused');
      else if (cause) done = refused(change, `it refers to ${shownReference(cause)}, which was refused`);
      else done = await rejectedAs(change, make(applying, change));
    }
    if (done.outcome === 'refused') held.push(change);
    onDone(done);
  }
}

/** Returns the first reference of a change's document to what others change. */
const referenceTo = (others: readonly PlannedChange[], { kind, document }: PlannedChange) =>
  REFERENCES[kind](document ?? {}).find(({ kind, name }) =>
    others.some((other) => other.kind === kind && other.name === name),
  );

/** Returns what became of a change; refused if the server rejects it. */
const rejectedAs = (change: PlannedChange, applied: Promise<Applied>): Promise<Applied> =>
  applied.catch((error: unknown) => {
    if (error instanceof UploadFailure) return refused(change, error.message);
    throw error;
  });

/** Returns what would become of a change. */
async function check(applying: Applying, change: PlannedChange): Promise<Applied> {
  const kind = kindOf(change.kind);
  if (change.action !== 'delete') return kind.put(applying, change, true);
  const tag = await kind.tag(applying.server, change.name);
  if (tag === null) return { change, outcome: 'already' };
  return tag === change.base
    ? { change, outcome: 'applied' }
    : refused(change, 'it was changed since. Make a new plan');
}

const make = (applying: Applying, change: PlannedChange): Promise<Applied> =>
  change.action === 'delete'
    ? kindOf(change.kind).delete(applying, change)
    : kindOf(change.kind).put(applying, change, false);
