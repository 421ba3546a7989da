import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload, readFrom } from './contract.js';

/** A list of accounts of one account system, for which a worker ranks developers who may own them. */
export const worklistParams = z.object({
  /** 2 for a workbook, 3 with `includeDecided`. */
  version: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  integrationId: z.number().int(),
  format: z.enum(['csv', 'json']),
  charset: z.string().optional(),
  /** The list is an Excel workbook; `sheet` is the one to read. */
  workbook: z.object({ sheet: z.string().optional() }).optional(),
  /** Whether values that a spreadsheet lost are accepted as identities. */
  damaged: z.enum(['reject', 'keep']).optional(),
  /** Escapes cells that a spreadsheet could run as a formula, as in an identity export. */
  escapeFormulas: z.boolean(),
  /** Whether accounts of bots, of people who have left, and those for later are in the worklist too. */
  includeDecided: z.boolean().optional(),
  readFrom,
});

export type WorklistParams = z.infer<typeof worklistParams>;

export const identityWorklist = defineContract({
  name: 'identity-worklist',
  queues: ['identity-worklist'],
  payload: jobPayload,
  params: worklistParams,
  options: FIVE_ATTEMPTS,
});
