import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload } from './contract.js';

/**
 * A job that takes back what another one changed. Its row has the acceptance number of that job, because it restores only
 * accounts that no later upload has asserted.
 */
export const revertParams = z.object({
  version: z.literal(1),
  /** The job to revert: an import or a revert. */
  jobId: z.uuid(),
  /** The format of the upload, which names the last column of the changes file. */
  format: z.enum(['csv', 'json']),
  dryRun: z.boolean(),
});
export type RevertParams = z.infer<typeof revertParams>;

export const identityRevert = defineContract({
  name: 'identity-revert',
  queues: ['identity-revert'],
  payload: jobPayload,
  params: revertParams,
  options: FIVE_ATTEMPTS,
});
