import type { OwnedKey } from '../../db/identities/chunk-outcome.js';
import { readLedger, sumLedger } from '../../db/identities/import-chunks.js';
import { markMirrored } from '../../db/identities/mirror-marks.js';
import { mirrorOutcome, type UnnamedKey } from '../../db/identities/mirror-outcome.js';
import { IdentityWriter } from '../../db/identities/write-identities.js';
import type { Job } from '../../db/jobs/jobs.js';
import { JobFailure } from '../run/errors.js';
import type { ProgressKeeper } from '../run/progress.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { Services } from '../run/services.js';
import { stopIfJobEnded } from './lanes.js';
import type { Plan } from './plan.js';
import { recordingOf } from './recording.js';
import type { Spool } from './spool/spool.js';
import { unnamedKeys } from './unnamed-keys.js';

/** The number of the first chunk of removals in the ledger. An upload has far fewer chunks of its own rows. */
const FIRST_CHUNK = 2 ** 31;

interface MirrorOf {
  job: Job;
  plan: Plan;
  dryRun: boolean;
  progress: ProgressKeeper;
  /** Its rows must be stored, because they are read more than once. */
  spool: Spool;
  integrationIds: readonly number[];
  maxRemovals: number;
}

/**
 * Removes the accounts that a file does not name from the integrations for which the file is the complete truth. A removal
 * has the acceptance number of the file, so a later upload wins over it. It is written in chunks that the ledger counts, so
 * it resumes after a crash and counts each account once.
 */
export class Mirror {
  readonly #mirror: MirrorOf;
  readonly #services: Services;

  constructor(mirror: MirrorOf, services: Services) {
    this.#mirror = mirror;
    this.#services = services;
  }

  /**
   * Counts the removals before the first row is written.
   * @throws JobFailure `too_many_removals`
   */
  async checkLimit(): Promise<void> {
    const { job, spool, maxRemovals } = this.#mirror;
    const ledger = await this.#retry(() => readLedger(this.#services.database, job.id));
    // The rows were counted before the first of these chunks was written.
    if (ledger.length > 0) return;
    let removals = 0;
    for await (const keys of this.#unnamed(spool)) removals += keys.length;
    if (removals > maxRemovals) throw tooManyRemovals(removals, maxRemovals);
  }

  /**
   * Removes the accounts. The rows of the file must be written by now.
   * @throws JobFailure `too_many_removals` if uploads that were accepted earlier have added accounts since the check
   */
  async removeUnnamed(): Promise<void> {
    const { job, dryRun, integrationIds } = this.#mirror;
    const { database } = this.#services;
    if (dryRun) return void (await this.#removePages());
    await this.#retry(() => markMirrored(database, integrationIds, job.acceptance as number));
    // Another worker on the same job may have written a chunk with other accounts under the same number.
    while (!(await this.#removePages())) await this.#mirror.progress.checkNow();
  }

  /** Returns false if another worker has written one of the chunks. */
  async #removePages(): Promise<boolean> {
    const { job, dryRun, spool, progress, maxRemovals } = this.#mirror;
    const { database, metrics } = this.#services;
    const entered = new Set(
      (await this.#retry(() => readLedger(database, job.id))).map(({ chunk }) => chunk),
    );
    let { removed } = await this.#retry(() => sumLedger(database, job.id));
    const writer = this.#writer();
    let chunk = FIRST_CHUNK - 1;
    let isAlone = true;
    for await (const keys of this.#unnamed(dryRun ? spool : null)) {
      // A dry run removes nothing, so its pages are the same after a restart. Otherwise only the others are left.
      chunk++;
      if (dryRun && entered.has(chunk)) continue;
      while (entered.has(chunk)) chunk++;
      const removals = removed + keys.length;
      if (removals > maxRemovals) throw tooManyRemovals(removals, maxRemovals, removed);
      const entry = { chunk, rows: keys.length, checksum: Buffer.alloc(8) };
      const counts = await this.#retry(() => writer.write(entry, keys.map(withoutOwner))).catch(
        stopIfJobEnded,
      );
      if (counts && !dryRun) metrics.countRows(counts);
      removed += counts?.removed ?? 0;
      isAlone &&= counts !== null;
      progress.moveOn();
    }
    return isAlone;
  }

  #unnamed(spool: Spool | null): AsyncGenerator<OwnedKey[]> {
    const { job, plan, progress, integrationIds } = this.#mirror;
    const acceptance = job.acceptance as number;
    return unnamedKeys(
      { integrationIds, acceptance, pageRows: plan.chunkRows, progress, spool },
      this.#services,
    );
  }

  #writer(): IdentityWriter<UnnamedKey> {
    const { job, dryRun } = this.#mirror;
    const { database, settings } = this.#services;
    return new IdentityWriter(database, {
      jobId: job.id,
      acceptance: job.acceptance as number,
      dryRun,
      decide: mirrorOutcome,
      ...recordingOf(job, settings),
    });
  }

  #retry<Result>(work: () => Promise<Result>): Promise<Result> {
    return retryWhileDatabaseUnavailable(this.#services.closing, work);
  }
}

const withoutOwner = ({ integrationId, identity }: OwnedKey): UnnamedKey => ({
  integrationId,
  identity,
  email: null,
});

/** @param removed how many accounts are removed already; undefined if nothing is written */
function tooManyRemovals(count: number, most: number, removed?: number): JobFailure {
  const would = `The file does not name ${formatCount(count)} accounts of the mirrored integrations, and maxRemovals is ${formatCount(most)}.`;
  const written =
    removed === undefined
      ? 'Nothing was written. If they really are to be removed, upload the file again with a greater maxRemovals.'
      : `The rows of the file are written, and ${formatCount(removed)} accounts are removed. Upload the file again.`;
  return new JobFailure('too_many_removals', `${would} ${written}`);
}

const formatCount = (count: number): string => count.toLocaleString('en-US');
