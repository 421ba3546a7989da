import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload } from './contract.js';

/** A lookup table as a CSV file. */
export const tableExport = defineContract({
  name: 'table-export',
  queues: ['table-export'],
  payload: jobPayload,
  params: z.object({ version: z.literal(1), table: z.string() }),
  options: FIVE_ATTEMPTS,
});
