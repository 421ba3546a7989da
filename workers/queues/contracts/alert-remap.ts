import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload } from './contract.js';

/** Stored events of one integration to be mapped again, in place. */
export const alertRemapParams = z.object({
  version: z.literal(1),
  webhookId: z.uuid(),
  /** Fixed when the job is asked for: a restart maps the rest as it mapped the start. */
  revision: z.number().int().min(1),
  /** Of the time of arrival, included. */
  from: z.coerce.date().optional(),
  /** Of the time of arrival, not included. Always there, so that what comes meanwhile does not make the job endless. */
  to: z.coerce.date(),
  /** Only events of which no alert could be made, or one that is incomplete. */
  onlyIncomplete: z.boolean(),
  dryRun: z.boolean(),
});
export type AlertRemapParams = z.infer<typeof alertRemapParams>;

export const alertRemap = defineContract({
  name: 'alert-remap',
  queues: ['alert-remap'],
  payload: jobPayload,
  params: alertRemapParams,
  options: FIVE_ATTEMPTS,
});
