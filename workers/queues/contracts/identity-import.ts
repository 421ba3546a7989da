import { z } from 'zod';
import { type Contract, PATIENT } from './contract.js';
import { jobPayload } from './job-payload.js';

const SMALL = 'identity-import';
const LARGE = 'identity-import-large';

/** An upload of identities: each row asserts who owns an account, or that nobody does any more. */
export const importParams = z.object({
  version: z.literal(1),
  format: z.enum(['csv', 'json']),
  action: z.enum(['assert', 'remove']),
  onError: z.enum(['abort', 'continue']),
  dryRun: z.boolean(),
  charset: z.string().optional(),
  /** Size of the stored upload as it was sent, compressed or not. */
  bytes: z.number().int(),
  maxBytes: z.number().int(),
  maxRows: z.number().int(),
});
export type ImportParams = z.infer<typeof importParams>;

export const identityImport = {
  name: 'identity-import',
  queues: [SMALL, LARGE],
  payload: jobPayload,
  params: importParams,
  options: PATIENT,
} satisfies Contract<'identity-import', typeof jobPayload, typeof importParams>;

/**
 * Large uploads have a queue and workers of their own, so that a small correction never waits behind one.
 *
 * @param bytes decompressed
 */
export const importQueue = (bytes: number, smallUpTo: number): string => (bytes <= smallUpTo ? SMALL : LARGE);
