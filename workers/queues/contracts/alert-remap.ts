import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload } from './contract.js';

/** Which stored events of an integration to map again, in place. */
export const alertRemapParams = z.object({
  /** 2 once it is started: its steps are in `job_steps`. 3 with a `mapping`, which earlier releases would ignore. */
  version: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  webhookId: z.uuid(),
  /** Set when the job is submitted, so that a restarted job maps all events by the same revision. */
  revision: z.number().int().min(1),
  /** Earliest time of arrival, inclusive. */
  from: z.coerce.date().optional(),
  /** Latest time of arrival, exclusive. Always set, so that new events cannot make the job endless. */
  to: z.coerce.date(),
  /** Only events that failed or have an incomplete alert. */
  onlyIncomplete: z.boolean(),
  dryRun: z.boolean(),
  /** JSON of a mapping that is not saved, to compare with instead of a revision. Only in a dry run. */
  mapping: z.string().optional(),
  /** Whether the request left out events that were stored by then. Jobs of an older release do not say. */
  isPartial: z.boolean().optional(),
  /** The dry run whose plan this is. */
  planId: z.uuid().optional(),
});
export type AlertRemapParams = z.infer<typeof alertRemapParams>;

export const alertRemap = defineContract({
  name: 'alert-remap',
  queues: ['alert-remap'],
  payload: jobPayload,
  params: alertRemapParams,
  startedAs: 2,
  options: FIVE_ATTEMPTS,
});
