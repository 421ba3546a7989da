import { createHash } from 'node:crypto';
import type { TimePosition } from '../../../db/events/newest-first.js';
import { addCounts, type Counts, type Step } from '../../../db/jobs/job-steps.js';
import type { ProgressKeeper } from '../../run/progress.js';
import type { Phase } from '../../run/run-steps.js';
import { mappedEvents, type Source } from './mapped-events.js';
import type { RemapPlan } from './plan.js';
import { compareEvents, type RemapEvent, writeChanges } from './write-changes.js';

/** As many events as one transaction should write. */
interface RemapStep extends Step {
  events: readonly RemapEvent[];
}

/**
 * Returns how the events of a remap are written, or only counted in a dry run, oldest first. Series whose items change are marked, to be folded
 * again. If the database rejects the content of an event, it stays as it is.
 */
export function remapSteps(source: Source, plan: RemapPlan, progress: ProgressKeeper): Phase<RemapStep> {
  const { webhookId, dryRun } = source.params;
  const { current } = progress;
  current.rowsTotal = plan.total;
  return {
    number: 0,
    async *steps(ledger) {
      const start = ledger.last ? placeOf(ledger.last) : plan.after;
      current.rowsRead = plan.seen + [...ledger.steps.values()].reduce((sum, { rows }) => sum + rows, 0);
      for await (const events of mappedEvents(source, start)) {
        yield stepOf((ledger.last?.number ?? -1) + 1, events);
      }
    },
    write: async (transaction, { events }) => {
      const changes = await compareEvents(transaction, webhookId, events);
      if (!dryRun) await writeChanges(transaction, changes);
      return { counts: changes.reduce<Counts>((sum, { counts }) => addCounts(sum, counts), {}) };
    },
    done: ({ rows }) => {
      current.rowsRead += rows;
    },
    halve: ({ number, events }) => {
      const middle = events.length >> 1;
      if (middle === 0) return null;
      return [stepOf(number, events.slice(0, middle)), stepOf(number + 1, events.slice(middle))];
    },
    rejected: () => ({ counts: { events: 1, failed: 1 } }),
    lost: (entered, step) => {
      if (entered.end !== step.end) throw new Error('another worker has resumed the job');
    },
  };
}

function stepOf(number: number, events: readonly RemapEvent[]): RemapStep {
  const last = events.at(-1);
  if (!last) throw new RangeError('a step of a remap has at least one event');
  const { receivedAt, id } = last.place;
  const end = `${receivedAt.toISOString()} ${id}`;
  const checksum = createHash('sha256').update(end).digest().subarray(0, 8);
  return { number, rows: events.length, checksum, end, events };
}

/** Returns the last event of a step. */
function placeOf({ end }: Step): TimePosition {
  const [receivedAt = '', id = ''] = end?.split(' ') ?? [];
  return { receivedAt: new Date(receivedAt), id };
}
