import { z } from 'zod';
import { MATCHINGS } from '../../../db/lookups/lookup-keys.js';
import { defineContract, FIVE_ATTEMPTS, jobPayload, type QueueOf } from './contract.js';

const SMALL = 'table-upload';
const LARGE = 'table-upload-large';

/** An upload that becomes a revision of a lookup table. */
const tableUploadParams = z.object({
  version: z.literal(1),
  table: z.string(),
  /** `merge`: rows of the active revision that the upload does not name stay. */
  mode: z.enum(['replace', 'merge']),
  /** The name of the API key. */
  keyName: z.string(),
  format: z.enum(['csv', 'json']),
  matching: z.enum(MATCHINGS),
  /** The names of the key columns. Default: the first column. */
  key: z.array(z.string()).min(1).optional(),
  onError: z.enum(['abort', 'continue']),
  dryRun: z.boolean(),
  /** The only revision that the upload may replace; null: none may be active. Default: any. */
  base: z.number().int().nullable().optional(),
  /** Where the file is kept from which the table comes. Default: as it is. */
  managedBy: z.string().nullable().optional(),
  charset: z.string().optional(),
  /** Whether values that a spreadsheet lost are accepted. */
  damaged: z.enum(['reject', 'keep']).optional(),
  /** The number of rows that the client knows the file to have. */
  expectedRows: z.number().int().optional(),
  /** Size of the upload as it was sent, compressed or not. */
  bytes: z.number().int(),
  maxBytes: z.number().int(),
  maxRows: z.number().int(),
});
export type TableUploadParams = z.infer<typeof tableUploadParams>;

export const tableUpload = defineContract({
  name: 'table-upload',
  queues: [SMALL, LARGE],
  payload: jobPayload,
  params: tableUploadParams,
  options: FIVE_ATTEMPTS,
  // Each upload is compared with the revision that the one before has made the active one, in whichever queue that is.
  globalConcurrency: 1,
});

/**
 * Returns the queue for an upload. Large uploads have a separate queue, so that a small table never waits for one of another table.
 * @param bytes the decompressed size
 */
export const tableQueue = (bytes: number, smallUpTo: number): QueueOf<typeof tableUpload> =>
  bytes <= smallUpTo ? SMALL : LARGE;
