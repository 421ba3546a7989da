import { z } from 'zod';
import { type Contract, PATIENT } from './contract.js';
import { jobPayload } from './job-payload.js';

/** Which identities a list or a download holds: every given filter must fit. */
export const identityFilters = z.object({
  emails: z.array(z.string()).optional(),
  integrationIds: z.array(z.number().int()).optional(),
  identities: z.array(z.string()).optional(),
});

/** A download of identities, made whole by a worker before anybody gets a byte of it. */
export const exportParams = z.object({
  version: z.literal(1),
  filters: identityFilters,
  format: z.enum(['csv']),
});
export type ExportParams = z.infer<typeof exportParams>;

export const identityExport = {
  name: 'identity-export',
  queues: ['identity-export'],
  payload: jobPayload,
  params: exportParams,
  options: PATIENT,
} satisfies Contract<'identity-export', typeof jobPayload, typeof exportParams>;
