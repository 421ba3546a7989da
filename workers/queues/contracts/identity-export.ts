import { z } from 'zod';
import { SORT_KEYS, SORT_ORDERS } from '../../../db/identities/identity-query.js';
import { defineContract, FIVE_ATTEMPTS, jobPayload, readFrom } from './contract.js';

/** Filters of an export. An identity must match all that are given. */
const filters = z.object({
  emails: z.array(z.string()).optional(),
  integrationIds: z.array(z.number().int()).optional(),
  identities: z.array(z.string()).optional(),
  search: z.object({ key: z.enum(['email', 'identity']), value: z.string() }).optional(),
  updatedSince: z.coerce.date().optional(),
});

/** An export of identities. A worker completes the file before anybody can download it. */
export const exportParams = z.object({
  version: z.literal(1),
  filters,
  /** The index by email covers all columns of the file, so this order is the fastest. */
  sort: z
    .object({ key: z.enum(SORT_KEYS), order: z.enum(SORT_ORDERS) })
    .default({ key: 'email', order: 'asc' }),
  format: z.enum(['csv', 'csv.gz']),
  escapeFormulas: z.boolean().default(false),
  readFrom,
  /** How long the finished file is kept, in hours. */
  keptHours: z.number().default(1),
});
export type ExportParams = z.infer<typeof exportParams>;

export const identityExport = defineContract({
  name: 'identity-export',
  queues: ['identity-export'],
  payload: jobPayload,
  params: exportParams,
  options: FIVE_ATTEMPTS,
});

/** Returns the name and the media type of an export's file. */
export const exportFile = ({ format }: Pick<ExportParams, 'format'>): { name: string; type: string } =>
  format === 'csv'
    ? { name: 'developer-identities.csv', type: 'text/csv; charset=utf-8' }
    : { name: 'developer-identities.csv.gz', type: 'application/gzip' };
