import { createHash } from 'node:crypto';
import { z } from 'zod';
import { inTransaction } from '../../db/client/transaction.js';
import { pinnedPlan, pinPlan } from '../../db/jobs/job-lifecycle.js';
import { addCounts, type Counts, type Step, sumSteps } from '../../db/jobs/job-steps.js';
import type { Job } from '../../db/jobs/jobs.js';
import { countSeries, nextSeries } from '../../db/series/compared-series.js';
import type { SeriesKey } from '../../db/series/series.js';
import { refoldFrom } from '../../db/series/series-alerts.js';
import { type AlertDifference, compareSeries } from '../events/series/compare-series.js';
import { type Cell, CsvTable } from '../export/csv.js';
import { writeExport } from '../export/write-export.js';
import { maskOwner } from '../identities/record/mask-email.js';
import { type AlertRefoldParams, alertRefold } from '../queues/contracts/alert-refold.js';
import { JOB_KEPT_HOURS, JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { JobCanceled } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import { type Phase, runSteps, type StepJob } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';
import { refoldChanged } from './refold-changed.js';

interface Refold extends StepJob {
  params: AlertRefoldParams;
  services: WorkerServices;
}

/**
 * Brings stored alerts to what the fold of their items gives today: an earlier release may have had other rules. The file of the job says first
 * what changes. Then each series that has such an alert is marked and folded again. The job can be interrupted at any point: series that are not
 * folded yet stay marked.
 */
export async function refoldAlerts(job: Job, services: WorkerServices): Promise<JobResult> {
  const params = paramsOf(job, alertRefold);
  const progress = new ProgressKeeper(job.id, null, services);
  const refold = { job, params, progress, services };
  const { resultKey, counts, series } = await planOf(refold);
  const { current } = progress;
  [current.rowsRead, current.rowsTotal] = [series, series];
  const result = { state: 'completed', progress: current, resultKey, keptS: JOB_KEPT_S } as const;
  if (params.dryRun) return { ...result, counts };
  const fold = () => refoldChanged(params.webhookId, progress, services);
  try {
    await runSteps(markSteps(refold, fold), refold, services);
  } catch (error) {
    if (error instanceof JobCanceled) await fold();
    throw error;
  }
  const warnings = await fold();
  return { ...result, counts: addCounts(NO_COUNTS, await sumSteps(services.database, job.id)), warnings };
}

/** What is counted of the alerts. Those that are added, changed or removed are not stored as the fold gives them. */
const NO_COUNTS = { alerts: 0, unchanged: 0, changed: 0, added: 0, removed: 0, partial: 0 };

/** Stored with the job once its file is complete: that would say nothing of the alerts that have been changed since. */
const refoldPlan = z.object({
  version: z.literal(1),
  resultKey: z.string(),
  series: z.number(),
  counts: z.record(z.string(), z.number()),
});
type RefoldPlan = z.infer<typeof refoldPlan>;

const COLUMNS = ['webhookId', 'dedupKey', 'alertId', 'change', 'field', 'before', 'after'];
const MAX_ROWS = 500;

async function planOf({ job, params: { webhookId }, services }: Refold): Promise<RefoldPlan> {
  const pinned = refoldPlan.safeParse(await pinnedPlan<unknown>(services.database, job.id));
  if (pinned.success) return pinned.data;
  const table = new CsvTable(COLUMNS);
  let counts: Counts = NO_COUNTS;
  const { resultKey, progress } = await writeExport(
    job,
    {
      header: table.header,
      pages: async function* () {
        counts = NO_COUNTS;
        for await (const { key, pages } of comparedSeries(services, webhookId, null)) {
          for await (const page of pages) {
            counts = addCounts(counts, page.counts);
            const rows = page.differences.flatMap((difference) => rowsOf(key, difference));
            for (let start = 0; start < rows.length; start += MAX_ROWS)
              yield { ...table.page(rows.slice(start, start + MAX_ROWS)), rows: 0 };
          }
          yield { bytes: NO_BYTES, rows: 1 };
        }
      },
      count: (withinMs) => countSeries(services.database, webhookId, withinMs),
      keptHours: JOB_KEPT_HOURS,
    },
    services,
  );
  if (resultKey === undefined) throw new Error('the file of a refold has no key');
  const plan = { version: 1, resultKey, series: progress?.rowsRead ?? 0, counts } satisfies RefoldPlan;
  return refoldPlan.parse(await pinPlan<unknown>(services.database, job.id, plan));
}

const NO_BYTES = Buffer.alloc(0);

const rowsOf = ({ webhookId, dedupKey }: SeriesKey, { id, change, fields }: AlertDifference): Cell[][] => {
  const alert = [webhookId, dedupKey, id, change];
  return fields.length === 0
    ? [[...alert, null, null, null]]
    : fields.map(({ field, before, after }) => [
        ...alert,
        field,
        maskOwner(field, before),
        maskOwner(field, after),
      ]);
};

interface Compared {
  counts: Counts;
  differences: readonly AlertDifference[];
}

/** Series in a page: sorting those of an integration takes time. */
const PAGE = 10_000;

/** Yields the series of an integration, or of all, after one of them, each with the pages of its comparison. */
async function* comparedSeries(
  { database, closing }: WorkerServices,
  webhookId: string | null,
  start: string | null,
): AsyncGenerator<{ key: SeriesKey; pages: AsyncGenerator<Compared> }> {
  const retry = <Result>(work: () => Promise<Result>) => retryWhileDatabaseUnavailable(closing, work);
  async function* pagesOf(key: SeriesKey): AsyncGenerator<Compared> {
    const pages = compareSeries(key, (work) => retry(() => inTransaction(database, work)));
    for await (const { stored, differences } of pages)
      yield { counts: countsOf(stored, differences), differences };
  }
  for (let after = start; ; ) {
    const page = await retry(() => nextSeries(database, webhookId, { after, limit: PAGE }));
    for (const key of page) yield { key, pages: pagesOf(key) };
    after = page.at(-1)?.id ?? null;
    if (after === null) return;
  }
}

function countsOf(stored: number, differences: readonly AlertDifference[]): Counts {
  const count = (change: AlertDifference['change']) =>
    differences.filter((difference) => difference.change === change).length;
  const [changed, added, removed] = [count('changed'), count('added'), count('removed')];
  const partial = differences.filter(({ isPartial }) => isPartial).length;
  return { alerts: stored + added, unchanged: stored - changed - removed, changed, added, removed, partial };
}

interface MarkStep extends Step {
  /** The series that are not stored as they fold, in the order of their ids, and the time of the first alert that is not. */
  marks: readonly { id: string; from: number }[];
  counts: Counts;
}

/** Series in one step. */
const STEP = 100;

/** Returns how series are marked whose alerts are not stored as they fold. Those of each step are folded before the next one is made. */
function markSteps({ params, progress, services }: Refold, fold: () => Promise<unknown>): Phase<MarkStep> {
  const { current } = progress;
  return {
    number: 0,
    async *steps(ledger) {
      current.rowsRead = [...ledger.steps.values()].reduce((sum, { rows }) => sum + rows, 0);
      let number = (ledger.last?.number ?? -1) + 1;
      let step: Omit<MarkStep, 'number' | 'checksum'> = NO_SERIES;
      for await (const { key, pages } of comparedSeries(
        services,
        params.webhookId,
        ledger.last?.end ?? null,
      )) {
        const { counts, from } = await summarize(pages);
        step = {
          rows: step.rows + 1,
          end: key.id,
          marks: from === null ? step.marks : [...step.marks, { id: key.id, from }],
          counts: addCounts(step.counts, counts),
        };
        if (step.rows < STEP) continue;
        yield { ...step, number: number++, checksum: checksumOf(key.id) };
        if (step.marks.length > 0) await fold();
        step = NO_SERIES;
      }
      if (step.end) yield { ...step, number, checksum: checksumOf(step.end) };
    },
    write: async (transaction, { marks, counts }) => {
      for (const { id, from } of marks) await refoldFrom(transaction, id, from);
      return { counts };
    },
    done: ({ rows }) => {
      current.rowsRead += rows;
    },
    lost: (entered, step) => {
      if (entered.end !== step.end) throw new Error('another worker has resumed the job');
    },
  };
}

const NO_SERIES = { rows: 0, end: null, marks: [], counts: {} };

async function summarize(pages: AsyncGenerator<Compared>): Promise<{ counts: Counts; from: number | null }> {
  let counts: Counts = {};
  let from: number | null = null;
  for await (const page of pages) {
    counts = addCounts(counts, page.counts);
    from ??= page.differences[0]?.receivedAt ?? null;
  }
  return { counts, from };
}

const checksumOf = (id: string): Buffer => createHash('sha256').update(id).digest().subarray(0, 8);
