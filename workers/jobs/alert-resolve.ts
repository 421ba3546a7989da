import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Database } from '../../db/client/connect.js';
import { isTooSlow } from '../../db/client/errors.js';
import { countAlerts, listAlerts } from '../../db/events/alerts/alert-list.js';
import { type Alert, findAlert } from '../../db/events/alerts/alerts.js';
import { pinnedPlan, pinPlan } from '../../db/jobs/job-lifecycle.js';
import { type Step, sumSteps } from '../../db/jobs/job-steps.js';
import type { Job } from '../../db/jobs/jobs.js';
import { endsOfJob, hashedId, type JobEnd } from '../../db/series/ends.js';
import { seriesId } from '../../db/series/series.js';
import { type AlertEnd, endAlerts, takeBackEnds } from '../events/series/end-alerts.js';
import { refoldMarked } from '../events/series/refold-series.js';
import { type AlertResolveParams, alertResolve } from '../queues/contracts/alert-resolve.js';
import { JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import { type Phase, runSteps, type StepJob } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';
import { writeAlertFile } from './alert-export.js';

/** Alerts in one transaction. */
const STEP = 200;
const COUNT_WITHIN_MS = 60_000;

interface Resolving extends StepJob {
  params: AlertResolveParams;
  services: WorkerServices;
}

/**
 * Resolves firing alerts for a person, or takes back what such a job did. The job can be interrupted at any point; the ledger records which
 * alerts are done.
 */
export async function resolveAlerts(job: Job, services: WorkerServices): Promise<JobResult> {
  const params = paramsOf(job, alertResolve);
  const progress = new ProgressKeeper(job.id, null, services);
  const resolving = { job, params, progress, services };
  const plan = await planOf(resolving);
  progress.current.rowsTotal = plan.total;
  await ('revertOf' in params.alerts
    ? runSteps(reopenSteps(resolving, params.alerts), resolving, services)
    : runSteps(resolveSteps(resolving, plan), resolving, services));
  const { done = 0, skipped = 0 } = await sumSteps(services.database, job.id);
  const isRevert = 'revertOf' in params.alerts;
  if (isRevert && !params.dryRun) await refold(resolving);
  return {
    state: 'completed',
    counts: { total: done + skipped, ...(isRevert ? { reopened: done } : { resolved: done }), skipped },
    progress: progress.current,
    ...(plan.resultKey === null ? {} : { resultKey: plan.resultKey, keptS: JOB_KEPT_S }),
  };
}

/** Stored with the job at its first start: how many alerts there were, and the file that lists them as they were. */
const resolvePlan = z.object({
  version: z.literal(1),
  total: z.number().nullable(),
  resultKey: z.string().nullable(),
});
type ResolvePlan = z.infer<typeof resolvePlan>;

async function planOf({ job, params: { alerts }, services }: Resolving): Promise<ResolvePlan> {
  const plan = { version: 1, total: null, resultKey: null } satisfies ResolvePlan;
  if ('revertOf' in alerts) return plan;
  if ('ids' in alerts) return { ...plan, total: alerts.ids.length };
  // A job that is started again has resolved some, which the file must list too.
  const pinned = resolvePlan.safeParse(await pinnedPlan<unknown>(services.database, job.id));
  if (pinned.success) return pinned.data;
  const filters = firing(alerts);
  const total = await countAlerts(services.database, filters, COUNT_WITHIN_MS).catch((error) => {
    throw isTooSlow(error) ? tooSlow() : error;
  });
  if (total > alerts.limit) throw tooMany(total, alerts.limit);
  const { resultKey = null } = await writeAlertFile(job, services, {
    filters,
    escapeFormulas: false,
    owners: false,
  });
  return resolvePlan.parse(await pinPlan(services.database, job.id, { ...plan, total, resultKey }));
}

const tooMany = (total: number, limit: number): JobFailure =>
  new JobFailure(
    'too_many_alerts',
    `${total.toLocaleString('en-US')} firing alerts match, and the limit is ${limit.toLocaleString('en-US')}. No alert was resolved. Narrow the filter, or send a higher limit.`,
  );

const tooSlow = (): JobFailure =>
  new JobFailure(
    'search_too_slow',
    'Counting the alerts took the database too long. Narrow the filter with `webhookId`. No alert was resolved.',
  );

const firing = ({
  filters,
}: {
  filters: Extract<AlertResolveParams['alerts'], { limit: number }>['filters'];
}) => ({
  ...filters,
  status: 'firing',
});

interface AlertStep extends Step {
  alerts: readonly Alert[];
}

/** Returns how alerts are resolved, a page at a time. In a dry run, those that fire are only counted. */
function resolveSteps({ job, params, progress, services }: Resolving, plan: ResolvePlan): Phase<AlertStep> {
  const { at, reason, by, dryRun, alerts } = params;
  const { database } = services;
  const { current } = progress;
  const toEnd = (alert: Alert): AlertEnd[] =>
    alert.seriesKey === null
      ? []
      : [
          {
            id: hashedId(job.id, alert.id),
            alertId: alert.id,
            series: {
              id: seriesId(alert.webhookId, alert.seriesKey),
              webhookId: alert.webhookId,
              dedupKey: alert.seriesKey,
            },
            receivedAt: at.getTime(),
            origin: 'person',
            silentSince: null,
            reason,
            by,
            jobId: job.id,
          },
        ];
  return {
    number: 0,
    async *steps({ last }) {
      current.rowsRead = 0;
      let number = last ? last.number + 1 : 0;
      if ('ids' in alerts) {
        const ids = alerts.ids.slice(number * STEP);
        for (let start = 0; start < ids.length; start += STEP, number++)
          yield stepOf(number, await findAll(database, ids.slice(start, start + STEP)));
        return;
      }
      if ('revertOf' in alerts) return;
      for (
        let after = last?.end ? placeOf(last.end) : undefined;
        number * STEP < (plan.total ?? 0) + STEP;
        number++
      ) {
        const page = await listAlerts(database, firing(alerts), { limit: STEP, after });
        after = page.at(-1);
        if (!after) return;
        yield stepOf(number, page);
      }
    },
    write: async (transaction, { alerts: some }) => {
      const ends = some.flatMap(toEnd);
      const done = dryRun
        ? some.filter(({ status }) => status === 'firing').length
        : await endAlerts(transaction, ends);
      return { counts: { done, skipped: some.length - done } };
    },
    done: ({ rows }) => {
      current.rowsRead += rows;
    },
    lost: () => {},
  };
}

async function findAll(database: Database, ids: readonly string[]): Promise<Alert[]> {
  const found = await Promise.all(ids.map((id) => findAlert(database, id)));
  return found.filter((alert) => alert !== null);
}

function stepOf(number: number, alerts: readonly Alert[]): AlertStep {
  const last = alerts.at(-1);
  const end = last ? `${last.receivedAt.toISOString()} ${last.id}` : null;
  return { number, rows: alerts.length, checksum: checksumOf(alerts), end, alerts };
}

const checksumOf = (some: readonly { id: string }[]): Buffer =>
  createHash('sha256')
    .update(some.map(({ id }) => id).join())
    .digest()
    .subarray(0, 8);

function placeOf(end: string): { receivedAt: Date; id: string } {
  const [receivedAt = '', id = ''] = end.split(' ');
  return { receivedAt: new Date(receivedAt), id };
}

interface EndStep extends Step {
  ends: readonly JobEnd[];
}

/** Returns how the ends that a job brought about are taken back. */
function reopenSteps(
  { params: { dryRun }, progress, services }: Resolving,
  { revertOf: jobId, resolvedAt }: { revertOf: string; resolvedAt: Date },
): Phase<EndStep> {
  const { current } = progress;
  return {
    number: 0,
    async *steps({ last }) {
      current.rowsRead = 0;
      let number = last ? last.number + 1 : 0;
      for (let after = last?.end ?? null; ; number++) {
        const ends = await endsOfJob(services.database, { jobId, resolvedAt }, { after, limit: STEP });
        after = ends.at(-1)?.id ?? null;
        if (after === null) return;
        yield { number, rows: ends.length, checksum: checksumOf(ends), end: after, ends };
      }
    },
    write: async (transaction, { ends }) => {
      const done = dryRun ? ends.length : await takeBackEnds(transaction, ends, resolvedAt.getTime());
      return { counts: { done, skipped: ends.length - done } };
    },
    done: ({ rows }) => {
      current.rowsRead += rows;
    },
    lost: () => {},
  };
}

/** Folds the series whose ends were taken back. What is left when the worker closes, upkeep folds. */
async function refold({ progress, services: { database, closing } }: Resolving): Promise<void> {
  await refoldMarked(database, {
    isDue: () => true,
    isOver: () => closing.aborted,
    run: async (query) => {
      const result = await query();
      progress.moveOn();
      return result;
    },
  });
}
