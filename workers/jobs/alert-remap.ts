import { isUtf8 } from 'node:buffer';
import { fixPlan } from '../../db/job-lifecycle.js';
import type { Job } from '../../db/jobs.js';
import { findMapping } from '../../db/mapping-revisions.js';
import {
  countEvents,
  eventBodies,
  eventsWithIncompleteAlerts,
  nextEvents,
  type StoredPlace,
} from '../../db/remap-events.js';
import { MOST_ROW_BYTES, rowSize } from '../../db/row-size.js';
import { JobFailure } from '../errors.js';
import { pacer } from '../identities/pace.js';
import { ProgressKeeper } from '../identities/progress.js';
import type { CurrentMapping } from '../intake/current-mappings.js';
import { NO_REMAP_COUNTS, type RemapPlan, remapPlan } from '../intake/remap-plan.js';
import { type RemapStep, writeSteps } from '../intake/remap-write.js';
import { toStoredEvent } from '../intake/to-stored.js';
import { compileStored } from '../mapping/index.js';
import { patiently } from '../patience.js';
import { type AlertRemapParams, alertRemapParams } from '../queues/alert-remap.js';
import type { JobResult, Services } from '../services.js';

const PAGE_EVENTS = 100;
/** In one transaction, about: a body may have megabytes, and an event a thousand alerts. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_ALERTS = 1_000;

interface Remap {
  job: Job;
  params: AlertRemapParams;
  mapping: CurrentMapping;
  progress: ProgressKeeper;
  services: Services;
}

/**
 * Maps stored events again, in place, oldest first: the same alert ids, and what there is too much is deleted. It can be
 * broken off anywhere; the plan of the job says behind which event it goes on.
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
  const text = await patiently(closing, () => findMapping(database, webhookId, revision));
  const compiled = text === null ? null : compileStored(JSON.parse(text));
  if (compiled && 'mapping' in compiled) return { revision, mapping: compiled.mapping };
  throw new JobFailure('unknown_revision', `There is no revision ${revision} that could be used.`);
}

async function planOf({ job, params, services: { database, closing } }: Remap): Promise<RemapPlan> {
  const plan = await patiently(closing, async () =>
    fixPlan<RemapPlan>(database, job.id, {
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
  return patiently(closing, () => nextEvents(database, params, { limit: PAGE_EVENTS, after: place }));
}

/** Which of a page are to be mapped again. */
async function wantedOf(
  { params, services: { database, closing } }: Remap,
  page: readonly StoredPlace[],
): Promise<ReadonlySet<string>> {
  if (!params.onlyIncomplete) return new Set(page.map(({ id }) => id));
  const { webhookId } = params;
  const wanted = await patiently(closing, () => eventsWithIncompleteAlerts(database, webhookId, page));
  for (const { id, state } of page) if (state === 'failed') wanted.add(id);
  return wanted;
}

/** Pieces of a page, each small enough to be read at once. */
function* slices(page: readonly StoredPlace[]): Generator<StoredPlace[]> {
  let slice: StoredPlace[] = [];
  let [bytes, alerts] = [0, 0];
  for (const event of page) {
    if (slice.length > 0 && (bytes + event.bytes > MOST_BYTES || alerts + event.alertCount > MOST_ALERTS)) {
      yield slice;
      [slice, bytes, alerts] = [[], 0, 0];
    }
    slice.push(event);
    bytes += event.bytes;
    alerts += event.alertCount;
  }
  yield slice;
}

/** Maps a slice again and writes it: in one transaction, or in several when much is made of it. */
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
  const bodies = await patiently(closing, () => eventBodies(database, ids));
  const pace = pacer();
  let moved = plan;
  let [steps, size, alerts]: [RemapStep[], number, number] = [[], 0, 0];
  for (const place of slice) {
    progress.checkpoint();
    const raw = bodies.get(place.id);
    const made = raw ? mapAgain(place, raw, params.webhookId, mapping) : null;
    steps.push({ place, made });
    size += made ? rowSize(made) : 0;
    alerts += made?.alerts.length ?? 0;
    if (size >= MOST_ROW_BYTES || alerts >= MOST_ALERTS) {
      moved = await write(remap, moved, steps);
      [steps, size, alerts] = [[], 0, 0];
    }
    await pace();
  }
  return steps.length > 0 ? write(remap, moved, steps) : moved;
}

async function write(
  { job, params, progress, services: { database, closing } }: Remap,
  plan: RemapPlan,
  steps: readonly RemapStep[],
): Promise<RemapPlan> {
  const writing = { jobId: job.id, dryRun: params.dryRun };
  const moved = await patiently(closing, () => writeSteps(database, plan, steps, writing));
  progress.current.rowsRead = moved.seen;
  progress.current.rowsTotal = moved.total;
  progress.moveOn();
  progress.checkpoint();
  return moved;
}

/** The same as when the event came. */
function mapAgain(place: StoredPlace, raw: Buffer, webhookId: string, mapping: CurrentMapping) {
  const text = isUtf8(raw);
  return toStoredEvent(
    {
      id: place.id,
      webhookId,
      receivedAt: place.receivedAt.getTime(),
      raw: raw.toString(text ? 'utf8' : 'base64'),
      ...(text ? {} : { base64: true }),
    },
    mapping,
  );
}
