import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload, type QueueOf } from './contract.js';

const SMALL = 'identity-import';
const LARGE = 'identity-import-large';

/** An upload of identities. Each row asserts who owns an account, or removes the account. */
export const importParams = z.object({
  version: z.literal(1),
  format: z.enum(['csv', 'json']),
  action: z.enum(['assert', 'remove']),
  onError: z.enum(['abort', 'continue']),
  dryRun: z.boolean(),
  charset: z.string().optional(),
  /** Size of the upload as it was sent, compressed or not. */
  bytes: z.number().int(),
  maxBytes: z.number().int(),
  maxRows: z.number().int(),
});
export type ImportParams = z.infer<typeof importParams>;

export const identityImport = defineContract({
  name: 'identity-import',
  queues: [SMALL, LARGE],
  payload: jobPayload,
  params: importParams,
  options: FIVE_ATTEMPTS,
});

/**
 * Returns the queue for an upload. Large uploads have a separate queue, so that a small correction never waits for one.
 * @param bytes the decompressed size
 */
export const importQueue = (bytes: number, smallUpTo: number): QueueOf<typeof identityImport> =>
  bytes <= smallUpTo ? SMALL : LARGE;
