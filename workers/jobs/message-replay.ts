import { createHash } from 'node:crypto';
import { z } from 'zod';
import { pinnedPlan, pinPlan } from '../../db/jobs/job-lifecycle.js';
import { addCounts, type Step, sumSteps } from '../../db/jobs/job-steps.js';
import type { Job } from '../../db/jobs/jobs.js';
import { type Destination, findDestination } from '../../db/outbox/destinations.js';
import { countMatching, matchingMessages, newestMessage, replay, waits } from '../../db/outbox/replays.js';
import { findStopped, type ListedMessage } from '../../db/outbox/told-messages.js';
import { type Cell, CsvTable } from '../export/csv.js';
import { writeExport } from '../export/write-export.js';
import { messageId } from '../outbox/message-id.js';
import { JOB_KEPT_HOURS, JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { type MessageReplayParams, messageReplay } from '../queues/contracts/message-replay.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import { pauseWithin } from '../run/retry-while-unavailable.js';
import { type Phase, runSteps, type StepJob } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';

/** The most messages in one step. */
const STEP = 100;
/** So many seconds' worth of a destination's rate is handed over at a time, so that live messages wait for no more than that. */
const STEP_S = 2;
/** The share of the rate that a replay takes. */
const SHARE = 0.5;
const LOOK_EVERY_MS = 250;

interface Replaying extends StepJob {
  params: MessageReplayParams;
  services: WorkerServices;
}

/**
 * Sends messages of a destination again, in the lane that live messages take, and never more at a time than the lane sends at once: what
 * the job has not handed over yet is not sent if it is canceled. The job can be interrupted at any point; the ledger records what was handed over.
 */
export async function replayMessages(job: Job, services: WorkerServices): Promise<JobResult> {
  const params = paramsOf(job, messageReplay);
  const progress = new ProgressKeeper(job.id, null, services);
  const replaying = { job, params, progress, services };
  const plan = await planOf(replaying);
  progress.current.rowsTotal = plan.total;
  await runSteps(replaySteps(replaying, plan), replaying, services);
  const counts = await sumSteps(services.database, job.id);
  return {
    state: 'completed',
    counts: addCounts({ total: 0, replayed: 0, superseded: 0, skipped: 0, ends: 0 }, counts),
    progress: progress.current,
    ...(plan.resultKey === null ? {} : { resultKey: plan.resultKey, keptS: JOB_KEPT_S }),
  };
}

/** Stored with the job at its first start: which messages there were, and the file that lists them as they were. */
const replayPlan = z.object({
  version: z.literal(1),
  upTo: z.number(),
  total: z.number(),
  resultKey: z.string().nullable(),
});
type ReplayPlan = z.infer<typeof replayPlan>;

async function planOf({ job, params, services }: Replaying): Promise<ReplayPlan> {
  const pinned = replayPlan.safeParse(await pinnedPlan<unknown>(services.database, job.id));
  if (pinned.success) return pinned.data;
  const { destinationId, messages: filter } = params;
  const upTo = await newestMessage(services.database, destinationId);
  const range = { destinationId, filter, upTo };
  const total = await countMatching(services.database, range);
  const resultKey = 'sequences' in filter ? null : await writeList(job, services, range);
  return replayPlan.parse(
    await pinPlan<unknown>(services.database, job.id, { version: 1, upTo, total, resultKey }),
  );
}

const COLUMNS = [
  'sequence',
  'id',
  'alertId',
  'alertTitle',
  'webhookId',
  'change',
  'createdAt',
  'state',
  'reason',
  'attempts',
  'endedAt',
];

/** Writes a CSV file with the messages as they are before. Returns its key. */
async function writeList(
  job: Job,
  services: WorkerServices,
  range: Parameters<typeof matchingMessages>[1],
): Promise<string> {
  const { database } = services;
  const table = new CsvTable(COLUMNS);
  const { resultKey } = await writeExport(
    job,
    {
      header: table.header,
      pages: async function* () {
        for (let after = 0; ; ) {
          const page = await matchingMessages(database, range, { after, limit: STEP });
          yield table.page(page.map(toRow));
          if (page.length < STEP) return;
          after = page.at(-1)?.transitionId ?? after;
        }
      },
      count: () => countMatching(database, range),
      keptHours: JOB_KEPT_HOURS,
    },
    services,
  );
  if (resultKey === undefined) throw new Error('the list of a replay has no key');
  return resultKey;
}

const toRow = (message: ListedMessage): Cell[] => [
  message.transitionId,
  messageId(message.transitionId, message.destinationId, message.copy),
  message.alertId,
  message.alertTitle,
  message.webhookId,
  message.kind,
  message.createdAt.toISOString(),
  message.state,
  message.reason,
  message.attempts,
  message.endedAt?.toISOString() ?? null,
];

interface ReplayStep extends Step {
  ids: readonly number[];
}

function replaySteps(
  { params, progress, services }: Replaying,
  { upTo, total }: ReplayPlan,
): Phase<ReplayStep> {
  const { destinationId, messages: filter, asNew, dryRun } = params;
  const { database } = services;
  const { current } = progress;
  const pace = new Pace(services, progress, destinationId);
  return {
    number: 0,
    async *steps(ledger) {
      current.rowsRead = [...ledger.steps.values()].reduce((sum, { rows }) => sum + rows, 0);
      let number = (ledger.last?.number ?? -1) + 1;
      for (let after = Number(ledger.last?.end ?? 0); ; number++) {
        const limit = dryRun ? STEP : await pace.next();
        const page = await matchingMessages(database, { destinationId, filter, upTo }, { after, limit });
        const ids = page.map(({ transitionId }) => transitionId);
        after = ids.at(-1) ?? after;
        if (ids.length === 0) return;
        yield { number, rows: ids.length, checksum: checksumOf(ids), end: String(after), ids };
        // Without waiting for the last ones.
        if (current.rowsRead >= total) return;
        pace.handedOver(ids);
      }
    },
    write: async (transaction, { ids }) => {
      const destination = await findDestination(transaction, destinationId);
      if (!destination) throw deleted();
      const isLatest = destination.mode === 'latest';
      const counts = await replay(transaction, { destinationId, isLatest, asNew, dryRun }, ids);
      return { counts: { total: ids.length, ...counts } };
    },
    done: ({ rows }) => {
      current.rowsRead += rows;
    },
    committed: ({ counts }) => {
      if (dryRun) return;
      services.metrics.countReplayed((counts.replayed ?? 0) + (counts.ends ?? 0));
      services.wakeOutbox();
    },
    lost: () => {},
  };
}

const deleted = () =>
  new JobFailure('destination_deleted', 'The destination was deleted. Nothing more is sent.');
const held = () =>
  new JobFailure(
    'destination_held',
    'The destination was paused or stopped. Nothing more is handed over. Resume the destination, then retry the job.',
  );

/** When the next messages may be handed over: after the last ones have ended, and at no more than a share of the destination's rate. */
class Pace {
  readonly #services: WorkerServices;
  readonly #progress: ProgressKeeper;
  readonly #destinationId: string;
  #ids: readonly number[] = [];
  #at = performance.now();

  constructor(services: WorkerServices, progress: ProgressKeeper, destinationId: string) {
    this.#services = services;
    this.#progress = progress;
    this.#destinationId = destinationId;
  }

  handedOver(ids: readonly number[]): void {
    this.#ids = ids;
  }

  /** Returns how many messages may be handed over then. @throws JobFailure, JobCanceled, WorkerClosing */
  async next(): Promise<number> {
    const { database, closing } = this.#services;
    for (;;) {
      const destination = await findDestination(database, this.#destinationId);
      if (!destination) throw deleted();
      if (destination.pausedAt || (await findStopped(database, this.#destinationId))) throw held();
      const isFree = this.#ids.length === 0 || !(await waits(database, this.#destinationId, this.#ids));
      if (isFree && performance.now() >= this.#at) return this.#take(destination);
      this.#progress.checkpoint();
      await pauseWithin(closing, LOOK_EVERY_MS);
    }
  }

  #take({ ratePerMinute }: Destination): number {
    if (ratePerMinute === null) return STEP;
    const perSecond = (SHARE * ratePerMinute) / 60;
    const count = Math.max(1, Math.min(STEP, Math.floor(perSecond * STEP_S)));
    this.#at = performance.now() + (count / perSecond) * 1_000;
    return count;
  }
}

const checksumOf = (ids: readonly number[]): Buffer =>
  createHash('sha256').update(ids.join()).digest().subarray(0, 8);
