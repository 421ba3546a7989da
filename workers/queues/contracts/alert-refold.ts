import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload } from './contract.js';

/** The stored alerts to bring to what their events give today: those of an integration, or of all. */
export const alertRefoldParams = z.object({
  version: z.literal(1),
  webhookId: z.uuid().nullable(),
  dryRun: z.boolean(),
});
export type AlertRefoldParams = z.infer<typeof alertRefoldParams>;

export const alertRefold = defineContract({
  name: 'alert-refold',
  queues: ['alert-refold'],
  payload: jobPayload,
  params: alertRefoldParams,
  options: FIVE_ATTEMPTS,
});
