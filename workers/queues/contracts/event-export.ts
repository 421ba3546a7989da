import { z } from 'zod';
import {
  defineContract,
  exportVersion,
  FIVE_ATTEMPTS,
  filterValues,
  jobPayload,
  readFrom,
} from './contract.js';

/** Filters of events. An event must match all that are given. */
const eventFilters = z.object({
  webhookId: filterValues,
  state: filterValues,
  from: z.coerce.date().optional(),
  to: z.coerce.date().optional(),
});

/** An export of events without their bodies. A worker completes the file before anybody can download it. */
export const eventExportParams = z.object({
  version: exportVersion,
  filters: eventFilters,
  format: z.enum(['csv']),
  /** Escapes cells that a spreadsheet could run as a formula, as in an identity export. */
  escapeFormulas: z.boolean().default(false),
  readFrom,
});

export const eventExport = defineContract({
  name: 'event-export',
  queues: ['event-export'],
  payload: jobPayload,
  params: eventExportParams,
  options: FIVE_ATTEMPTS,
});
