import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload } from './contract.js';

/** What happens if the owner of an account is not the one of the plan any more. */
export const ON_CONFLICT = ['skip', 'abort'] as const;

/**
 * A job that writes the changes that a dry run has recorded, and nothing else. The plan of a revert keeps the acceptance number of the reverted job, any
 * other one gets a number of its own.
 */
export const applyParams = z.object({
  version: z.literal(1),
  /** The dry run. */
  jobId: z.uuid(),
  /** The dry run is one of a revert. */
  isRevert: z.boolean(),
  /** The format of the upload, which names a column of the changes file. */
  format: z.enum(['csv', 'json']),
  onConflict: z.enum(ON_CONFLICT),
});

export const identityApply = defineContract({
  name: 'identity-apply',
  queues: ['identity-apply'],
  payload: jobPayload,
  params: applyParams,
  options: FIVE_ATTEMPTS,
});
