import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload } from './contract.js';

/** Filters of alerts. An alert must match all that are given. */
export const alertFilters = z.object({
  webhookId: z.uuid().optional(),
  state: z.string().optional(),
  status: z.string().optional(),
  dedupKey: z.string().optional(),
  severity: z.string().optional(),
  source: z.string().optional(),
  service: z.string().optional(),
  environment: z.string().optional(),
  team: z.string().optional(),
  from: z.coerce.date().optional(),
  to: z.coerce.date().optional(),
  search: z.string().optional(),
});

/** An export of alerts. A worker completes the file before anybody can download it. */
export const alertExportParams = z.object({
  version: z.literal(1),
  filters: alertFilters,
  format: z.enum(['csv']),
  /** Escapes cells that a spreadsheet could run as a formula, as in an identity export. */
  escapeFormulas: z.boolean().default(false),
});

export const alertExport = defineContract({
  name: 'alert-export',
  queues: ['alert-export'],
  payload: jobPayload,
  params: alertExportParams,
  options: FIVE_ATTEMPTS,
});
