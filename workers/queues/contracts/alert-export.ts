import { z } from 'zod';
import { RANKED_SEVERITIES } from '../../../db/events/alerts/severity-rank.js';
import {
  defineContract,
  exportVersion,
  FIVE_ATTEMPTS,
  filterValues,
  jobPayload,
  readFrom,
} from './contract.js';

/** Filters of alerts. An alert must match all that are given. */
export const alertFilters = z.object({
  webhookId: filterValues,
  state: filterValues,
  status: filterValues,
  dedupKey: z.string().optional(),
  severity: filterValues,
  source: filterValues,
  service: filterValues,
  environment: filterValues,
  team: filterValues,
  ownerEmail: filterValues,
  from: z.coerce.date().optional(),
  to: z.coerce.date().optional(),
  search: z.string().optional(),
  peakSeverity: filterValues,
  severityAtLeast: z.enum(RANKED_SEVERITIES).optional(),
  peakAtLeast: z.enum(RANKED_SEVERITIES).optional(),
  resolvedBy: filterValues,
  lastEventFrom: z.coerce.date().optional(),
  lastEventTo: z.coerce.date().optional(),
});

/** An export of alerts. A worker completes the file before anybody can download it. */
export const alertExportParams = z.object({
  version: exportVersion,
  filters: alertFilters,
  format: z.enum(['csv']),
  /** Escapes cells that a spreadsheet could run as a formula, as in an identity export. */
  escapeFormulas: z.boolean().default(false),
  /** Whether the file has the addresses of owners: for a key that may read identities. Otherwise they are masked. */
  owners: z.boolean().default(false),
  readFrom,
});

export const alertExport = defineContract({
  name: 'alert-export',
  queues: ['alert-export'],
  payload: jobPayload,
  params: alertExportParams,
  options: FIVE_ATTEMPTS,
});
