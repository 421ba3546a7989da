import { isUtf8 } from 'node:buffer';
import type { StoredInput } from '../../db/events/events.js';
import { MAX_ROW_BYTES, rowSize } from '../../db/events/new-event.js';
import {
  countEvents,
  eventInputs,
  eventsWithIncompleteAlerts,
  nextEvents,
  type StoredPlace,
} from '../../db/events/remap-events.js';
import { pinPlan } from '../../db/jobs/job-lifecycle.js';
import type { Job } from '../../db/jobs/jobs.js';
import { findMapping } from '../../db/webhooks/mapping-revisions.js';
import { NO_REMAP_COUNTS, type RemapPlan, remapPlan } from '../events/remap/plan.js';
import { type RemapStep, writeSteps } from '../events/remap/write-steps.js';
import { buildEvent } from '../events/store/build-event.js';
import type { CurrentMapping } from '../events/store/current-mappings.js';
import { compileStored } from '../mapping/index.js';
import { type AlertRemapParams, alertRemapParams } from '../queues/contracts/alert-remap.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { pacer } from '../run/pace.js';
import { ProgressKeeper } from '../run/progress.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { Services } from '../run/services.js';

const PAGE_EVENTS = 100;
/** Approximate limits of one transaction: a body may have megabytes, and an event a thousand alerts. */
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_ALERTS = 1_000;

interface Remap {
  job: Job;
  params: AlertRemapParams;
  mapping: CurrentMapping;
  progress: ProgressKeeper;
  services: Services;
}

/**
 * Maps stored events again, in place, oldest first. Alerts keep their ids, and alerts that the mapping no longer makes are
 * deleted. The job can be interrupted at any point: its plan records the event after which it resumes.
 */
export async function remapAlerts(job: Job, services: Services): Promise<JobResult> {
  const params = alertRemapParams.parse(job.params);
  const mapping = await mappingOf(params, services);
  const progress = new ProgressKeeper(job.id, null, services);
  const remap = { job, params, mapping, progress, services };
  let plan = await planOf(remap);
  for (;;) {
    const page = await nextPage(remap, plan);
    if (page.length === 0) break;
    const wanted = await wantedOf(remap, page);
    for (const slice of slices(page)) plan = await remapSlice(remap, plan, slice, wanted);
  }
  return { state: 'completed', counts: plan.counts, progress: progress.current };
}

async function mappingOf(
  { webhookId, revision }: AlertRemapParams,
  { database, closing }: Services,
): Promise<CurrentMapping> {
  const text = await retryWhileDatabaseUnavailable(closing, () => findMapping(database, webhookId, revision));
  const compiled = text === null ? null : compileStored(JSON.parse(text));
  if (compiled && 'mapping' in compiled) return { revision, mapping: compiled.mapping };
  throw new JobFailure('unknown_revision', `There is no revision ${revision} that could be used.`);
}

async function planOf({ job, params, services: { database, closing } }: Remap): Promise<RemapPlan> {
  const plan = await retryWhileDatabaseUnavailable(closing, async () =>
    pinPlan<RemapPlan>(database, job.id, {
      version: 1,
      total: await countEvents(database, params),
      seen: 0,
      after: null,
      counts: NO_REMAP_COUNTS,
    }),
  );
  return remapPlan.parse(plan);
}

function nextPage({ params, services: { database, closing } }: Remap, { after }: RemapPlan) {
  const place = after && { receivedAt: new Date(after.receivedAt), id: after.id };
  return retryWhileDatabaseUnavailable(closing, () =>
    nextEvents(database, params, { limit: PAGE_EVENTS, after: place }),
  );
}

/** Returns the ids of a page's events that are to be mapped again. */
async function wantedOf(
  { params, services: { database, closing } }: Remap,
  page: readonly StoredPlace[],
): Promise<ReadonlySet<string>> {
  if (!params.onlyIncomplete) return new Set(page.map(({ id }) => id));
  const { webhookId } = params;
  const wanted = await retryWhileDatabaseUnavailable(closing, () =>
    eventsWithIncompleteAlerts(database, webhookId, page),
  );
  for (const { id, state } of page) if (state === 'failed') wanted.add(id);
  return wanted;
}

/** Splits a page into slices that are small enough to be read at once. */
function* slices(page: readonly StoredPlace[]): Generator<StoredPlace[]> {
  let slice: StoredPlace[] = [];
  let [bytes, alerts] = [0, 0];
  for (const event of page) {
    if (slice.length > 0 && (bytes + event.bytes > MAX_BYTES || alerts + event.alertCount > MAX_ALERTS)) {
      yield slice;
      [slice, bytes, alerts] = [[], 0, 0];
    }
    slice.push(event);
    bytes += event.bytes;
    alerts += event.alertCount;
  }
  yield slice;
}

/** Maps a slice again and writes it in one transaction, or in several if it makes many alerts. */
async function remapSlice(
  remap: Remap,
  plan: RemapPlan,
  slice: readonly StoredPlace[],
  wanted: ReadonlySet<string>,
): Promise<RemapPlan> {
  const {
    params,
    mapping,
    progress,
    services: { database, closing },
  } = remap;
  const ids = slice.flatMap(({ id }) => (wanted.has(id) ? [id] : []));
  const inputs = await retryWhileDatabaseUnavailable(closing, () => eventInputs(database, ids));
  const pace = pacer();
  let advanced = plan;
  let [steps, size, alerts]: [RemapStep[], number, number] = [[], 0, 0];
  for (const place of slice) {
    progress.checkpoint();
    const input = inputs.get(place.id);
    const mapped = input ? mapAgain(place, input, params.webhookId, mapping) : null;
    steps.push({ place, mapped });
    size += mapped ? rowSize(mapped) : 0;
    alerts += mapped?.alerts.length ?? 0;
    if (size >= MAX_ROW_BYTES || alerts >= MAX_ALERTS) {
      advanced = await write(remap, advanced, steps);
      [steps, size, alerts] = [[], 0, 0];
    }
    await pace();
  }
  return steps.length > 0 ? write(remap, advanced, steps) : advanced;
}

async function write(
  { job, params, progress, services: { database, closing } }: Remap,
  plan: RemapPlan,
  steps: readonly RemapStep[],
): Promise<RemapPlan> {
  const writing = { jobId: job.id, dryRun: params.dryRun };
  const advanced = await retryWhileDatabaseUnavailable(closing, () =>
    writeSteps(database, plan, steps, writing),
  );
  progress.current.rowsRead = advanced.seen;
  progress.current.rowsTotal = advanced.total;
  progress.moveOn();
  progress.checkpoint();
  return advanced;
}

/** Maps an event in the same way as when it was received. */
function mapAgain(
  place: StoredPlace,
  { raw, request }: StoredInput,
  webhookId: string,
  mapping: CurrentMapping,
) {
  const text = isUtf8(raw);
  return buildEvent(
    {
      id: place.id,
      webhookId,
      receivedAt: place.receivedAt.getTime(),
      raw: raw.toString(text ? 'utf8' : 'base64'),
      ...(text ? {} : { base64: true }),
      ...(request === null ? {} : { request }),
    },
    mapping,
  );
}
