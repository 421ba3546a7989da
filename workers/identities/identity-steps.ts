import type { Decide, OwnedKey } from '../../db/identities/chunk-outcome.js';
import { IdentityWriter, type WrittenChunk } from '../../db/identities/write-identities.js';
import type { Step } from '../../db/jobs/job-steps.js';
import type { Job } from '../../db/jobs/jobs.js';
import type { Phase } from '../run/run-steps.js';
import type { WorkerServices } from '../run/services.js';
import { encodeChanges } from './changes/encode-changes.js';

/** Changes of the second phase of a job are stored under numbers from here on: after those of the first phase, which has far fewer steps. */
const PHASE_PARTS = 2 ** 31;

/** A step that gives accounts another owner, or none. */
export interface IdentityStep<Row extends OwnedKey> extends Step {
  /** In the order of their keys, each key once. */
  assertions: Row[];
}

interface What<Row extends OwnedKey> {
  phase: number;
  acceptance: number;
  /** Only count, write nothing. */
  dryRun: boolean;
  decide: Decide<Row>;
}

/** Returns how the steps of a phase are written that changes identities. */
export function identitySteps<Row extends OwnedKey>(
  { phase, ...upload }: What<Row>,
  { id: jobId, apiKeyId }: Job,
  { settings: { identityHistoryDays, importChanges }, metrics }: WorkerServices,
): Omit<Phase<IdentityStep<Row>, WrittenChunk>, 'steps'> {
  const writer = new IdentityWriter<Row>({
    ...upload,
    jobId,
    apiKeyId: identityHistoryDays > 0 ? apiKeyId : undefined,
    encodeChanges: importChanges ? encodeChanges : undefined,
  });
  return {
    number: phase,
    write: (transaction, { number, assertions }) =>
      writer.write(transaction, phase * PHASE_PARTS + number, assertions),
    committed: (written) => {
      writer.committed(written);
      if (!upload.dryRun) metrics.countRows(written.counts);
    },
    startsOver: (error) => writer.startsOver(error),
  };
}
