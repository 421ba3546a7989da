import type { OwnedKey } from '../../db/identities/chunk-outcome.js';
import { mirrorOutcome, type UnnamedKey } from '../../db/identities/chunk-outcome.js';
import { markMirrored } from '../../db/identities/mirror-marks.js';
import { acceptanceOf } from '../../db/jobs/accepted-uploads.js';
import { hasSteps, type Ledger } from '../../db/jobs/job-steps.js';
import { JobFailure } from '../run/errors.js';
import { runSteps, type StepJob } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';
import { counted, wholeNumber } from '../text/quantities.js';
import { approvalRequired, requireNoApproval } from './approval.js';
import { type IdentityStep, identitySteps } from './identity-steps.js';
import type { Spool } from './spool/spool.js';
import { unnamedKeys } from './unnamed-keys.js';

interface MirrorOf extends StepJob {
  chunkRows: number;
  dryRun: boolean;
  /** Its rows must be stored, because they are read more than once. */
  spool: Spool;
  integrationIds: readonly number[];
  maxRemovals: number;
}

/**
 * Removes the accounts that a file does not name from the account systems for which the file is the complete truth. A removal
 * has the acceptance number of the file, so a later upload wins over it. Removals are the second phase of an import.
 */
export class Mirror {
  readonly #mirror: MirrorOf;
  readonly #services: WorkerServices;

  constructor(mirror: MirrorOf, services: WorkerServices) {
    this.#mirror = mirror;
    this.#services = services;
  }

  /**
   * Counts the removals before the first row is written.
   * @throws JobFailure `too_many_removals`, `approval_required`
   */
  async checkLimit(): Promise<void> {
    const { job, spool, maxRemovals, dryRun } = this.#mirror;
    // The rows were counted before the first step was written.
    if (await hasSteps(this.#services.database, job.id)) return;
    let removals = 0;
    for await (const keys of this.#unnamed(spool)) removals += keys.length;
    if (removals > maxRemovals) throw tooManyRemovals(removals, maxRemovals);
    if (!dryRun) await requireNoApproval(job.id, () => removals, this.#services);
  }

  /**
   * Removes the accounts. The rows of the file must be written by now.
   * @throws JobFailure `too_many_removals` if uploads that were accepted earlier have added accounts since the check
   */
  async removeUnnamed(): Promise<void> {
    const { job, dryRun, integrationIds } = this.#mirror;
    if (!dryRun) await markMirrored(this.#services.database, integrationIds, acceptanceOf(job));
    // Another worker on the same job may have written a step with other accounts under the same number.
    while (!(await this.#removePages()));
  }

  /** Returns false if another worker has written one of the steps. */
  async #removePages(): Promise<boolean> {
    const { job, dryRun } = this.#mirror;
    let isAlone = true;
    const upload = { phase: 1, acceptance: acceptanceOf(job), dryRun, decide: mirrorOutcome };
    await runSteps(
      {
        ...identitySteps<UnnamedKey>(upload, job, this.#services),
        steps: (ledger) => this.#steps(ledger),
        lost: () => {
          isAlone = dryRun;
        },
      },
      this.#mirror,
      this.#services,
    );
    return isAlone;
  }

  /** A dry run removes nothing, so its pages are the same after a restart. Otherwise only the others are left. */
  async *#steps(ledger: Ledger): AsyncGenerator<IdentityStep<UnnamedKey>> {
    const { dryRun, spool, maxRemovals } = this.#mirror;
    const { approvalRemovals: limit } = this.#services.settings;
    let number = -1;
    for await (const keys of this.#unnamed(dryRun ? spool : null)) {
      number = dryRun ? number + 1 : (ledger.last?.number ?? -1) + 1;
      if (ledger.steps.has(number)) continue;
      const { removed = 0 } = ledger.counts;
      const removals = removed + keys.length;
      if (removals > maxRemovals) throw tooManyRemovals(removals, maxRemovals, removed);
      if (!dryRun && limit !== null && removals > limit)
        throw approvalRequired(removals, limit, writtenSoFar(removed));
      yield { number, rows: keys.length, checksum: Buffer.alloc(8), assertions: keys.map(withoutOwner) };
    }
  }

  #unnamed(spool: Spool | null): AsyncGenerator<OwnedKey[]> {
    const { job, chunkRows, progress, integrationIds } = this.#mirror;
    const acceptance = acceptanceOf(job);
    return unnamedKeys({ integrationIds, acceptance, pageRows: chunkRows, progress, spool }, this.#services);
  }
}

const withoutOwner = ({ integrationId, identity }: OwnedKey): UnnamedKey => ({
  integrationId,
  identity,
  email: null,
});

/** @param removed how many accounts are removed already; undefined if nothing is written */
function tooManyRemovals(count: number, most: number, removed?: number): JobFailure {
  const would = `The file does not name ${counted(count, 'account')} of the mirrored account systems, and maxRemovals is ${wholeNumber(most)}.`;
  const written =
    removed === undefined
      ? 'Nothing was written. If they really are to be removed, upload the file again with a greater maxRemovals.'
      : `${writtenSoFar(removed)} Upload the file again.`;
  return new JobFailure('too_many_removals', `${would} ${written}`);
}

const writtenSoFar = (removed: number): string =>
  `The rows of the file are written, and ${counted(removed, 'account')} ${removed === 1 ? 'is' : 'are'} removed.`;
