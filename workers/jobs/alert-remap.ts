import { createHash } from 'node:crypto';
import { inTransaction } from '../../db/client/transaction.js';
import { countEvents } from '../../db/events/events-to-remap.js';
import type { TimePosition } from '../../db/events/newest-first.js';
import { pinPlan } from '../../db/jobs/job-lifecycle.js';
import { addCounts, type Counts, hasSteps, type Step, sumSteps } from '../../db/jobs/job-steps.js';
import type { Job, JobWarning } from '../../db/jobs/jobs.js';
import { hasSeries } from '../../db/series/refold-marks.js';
import { findMapping } from '../../db/webhooks/mapping-revisions.js';
import { checkGrouping } from '../events/remap/check-grouping.js';
import type { Difference } from '../events/remap/differences.js';
import { mappedEvents, type Source } from '../events/remap/mapped-events.js';
import { NO_REMAP_COUNTS, type RemapPlan, remapPlan } from '../events/remap/plan.js';
import { compareEvents, type RemapEvent, writeChanges } from '../events/remap/write-changes.js';
import type { CurrentMapping } from '../events/store/current-mappings.js';
import { EventLookups } from '../events/store/event-lookups.js';
import { type Cell, CsvTable } from '../export/csv.js';
import { writeExport } from '../export/write-export.js';
import { maskOwner } from '../identities/record/mask-email.js';
import { compileStored, mergesEvents } from '../mapping/index.js';
import { type AlertRemapParams, alertRemap } from '../queues/contracts/alert-remap.js';
import { JOB_KEPT_HOURS, paramsOf } from '../queues/contracts/contract.js';
import { JobCanceled, JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import { type Phase, runSteps, type StepJob } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';
import { wholeNumber } from '../text/quantities.js';
import { refoldChanged } from './refold-changed.js';

interface Remap extends Source, StepJob {}

/**
 * Maps stored events again, in place, oldest first. Alerts keep their ids, and alerts that the mapping no longer makes are
 * deleted. Series whose items change are folded again at the end. The job can be interrupted at any point: series that are not folded yet stay
 * marked.
 */
export async function remapAlerts(job: Job, services: WorkerServices): Promise<JobResult> {
  const params = paramsOf(job, alertRemap);
  const mapping = await mappingOf(params, services);
  const progress = new ProgressKeeper(job.id, null, services);
  const lookups = new EventLookups(services.database);
  const checkpoint = () => progress.checkpoint();
  const remap = { job, params, mapping, lookups, progress, services, checkpoint };
  if (params.dryRun) return tryRemap(remap);
  const plan = await planOf(remap);
  if (plan.check && !(await hasSteps(services.database, job.id))) await checkGrouping(remap);
  try {
    await runSteps(remapSteps(remap, plan, progress), remap, services);
    const warnings = await refold(remap);
    const counts = addCounts(plan.counts, await sumSteps(services.database, job.id));
    return { state: 'completed', counts, warnings, progress: progress.current };
  } catch (error) {
    if (error instanceof JobCanceled) await refold(remap);
    throw error;
  }
}

async function mappingOf(
  { webhookId, revision, mapping }: AlertRemapParams,
  { database }: WorkerServices,
): Promise<CurrentMapping> {
  const text = mapping ?? (await findMapping(database, webhookId, revision));
  const compiled = text === null ? null : compileStored(JSON.parse(text));
  if (compiled && 'mapping' in compiled) return { revision, mapping: compiled.mapping };
  throw new JobFailure('unknown_revision', `There is no revision ${revision} that could be used.`);
}

async function planOf({ job, params, mapping, services: { database } }: Remap): Promise<RemapPlan> {
  const plan = {
    version: 1,
    total: await countEvents(database, params),
    seen: 0,
    after: null,
    check: (await needsCheck(database, params, mapping)) ? {} : null,
    counts: NO_REMAP_COUNTS,
  } satisfies RemapPlan;
  return remapPlan.parse(await pinPlan<unknown>(database, job.id, plan));
}

/** Returns whether a remap of a part may give items another key or status. */
async function needsCheck(
  database: WorkerServices['database'],
  { webhookId, from, onlyIncomplete, isPartial = from !== undefined || onlyIncomplete }: AlertRemapParams,
  { mapping }: CurrentMapping,
): Promise<boolean> {
  if (!isPartial) return false;
  return (mapping !== null && mergesEvents(mapping)) || hasSeries(database, webhookId);
}

/** Folds the series whose items were changed. */
const refold = ({ params, progress, services }: Remap): Promise<JobWarning[]> =>
  refoldChanged(params.webhookId, progress, services);

const DIFFERENCES = new CsvTable(['eventId', 'alertId', 'change', 'field', 'before', 'after']);
/** What is more is counted, and not in the file. */
const MAX_LINES = 100_000;

/** Counts what a remap would change, and writes the differences to the file of the job. */
async function tryRemap(remap: Remap): Promise<JobResult> {
  const { job, params, mapping, services } = remap;
  const { database } = services;
  if (await needsCheck(database, params, mapping)) await checkGrouping(remap);
  let [counts, lines]: [Counts, number] = [NO_REMAP_COUNTS, 0];
  const file = {
    header: DIFFERENCES.header,
    pages: async function* () {
      [counts, lines] = [NO_REMAP_COUNTS, 0];
      for await (const events of mappedEvents(remap, null)) {
        const changes = await inTransaction(database, (transaction) =>
          compareEvents(transaction, params.webhookId, events),
        );
        for (const change of changes) counts = addCounts(counts, change.counts);
        const all = changes.flatMap(({ id, differences }) => differences().flatMap((one) => rowsOf(id, one)));
        const rows = all.slice(0, MAX_LINES - lines);
        lines += all.length;
        yield { ...DIFFERENCES.page(rows), rows: events.length };
      }
    },
    count: () => countEvents(database, params),
    keptHours: JOB_KEPT_HOURS,
  };
  const result = await writeExport(job, file, services);
  return { ...result, counts, warnings: lines > MAX_LINES ? [TOO_MANY_LINES] : [] };
}

const TOO_MANY_LINES: JobWarning = {
  code: 'file_cut',
  message: `the file has the first ${wholeNumber(MAX_LINES)} differences; all are counted`,
};

const rowsOf = (eventId: string, { id, change, fields }: Difference): Cell[][] =>
  fields.map(({ field, before, after }) => [
    ...[eventId, id, change, field],
    maskOwner(field, before),
    maskOwner(field, after),
  ]);

/** As many events as one transaction should write. */
interface RemapStep extends Step {
  events: readonly RemapEvent[];
}

/**
 * Returns how the events of a remap are written, oldest first. Series whose items change are marked, to be folded
 * again. If the database rejects the content of an event, it stays as it is.
 */
function remapSteps(source: Source, plan: RemapPlan, progress: ProgressKeeper): Phase<RemapStep> {
  const { webhookId } = source.params;
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
      await writeChanges(transaction, changes);
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
