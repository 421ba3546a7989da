import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload, type QueueOf, uploadLinkOfJob } from './contract.js';

const SMALL = 'identity-import';
const LARGE = 'identity-import-large';

/** An upload of identities. Each row asserts who owns an account, or removes the account. */
export const importParams = z.object({
  /** 2 for an upload with options that an earlier release would ignore, 3 once it is started: its steps are in `job_steps`, 4 for a workbook, 5 through an upload link, or for a feed with rules. */
  version: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]),
  format: z.enum(['csv', 'json']),
  action: z.enum(['assert', 'remove']),
  onError: z.enum(['abort', 'continue']),
  dryRun: z.boolean(),
  charset: z.string().optional(),
  /** The file is an Excel workbook; `sheet` is the one to read. */
  workbook: z.object({ sheet: z.string().optional() }).optional(),
  /** Names of columns, by field. The others are found by their known names. */
  columns: z
    .object({ email: z.string(), integrationId: z.string(), identity: z.string() })
    .partial()
    .optional(),
  /** What else makes identities of the rows of a feed's file, see `workers/identities/recipe/recipe.ts`. */
  recipe: z
    .object({
      rules: z.object({ email: z.string(), integrationId: z.string(), identity: z.string() }).partial(),
      keep: z.string().optional(),
    })
    .optional(),
  /** The account system of all rows. */
  integrationId: z.number().int().optional(),
  /** The upload link that it came through. `integrationId`: the account system of all rows, whether or not the file has a column for it. */
  uploadLink: uploadLinkOfJob.extend({ integrationId: z.number().int() }).optional(),
  /** The file is the complete truth for these account systems: accounts that it does not name are removed. */
  mirror: z.object({ integrationIds: z.array(z.number().int()), maxRemovals: z.number().int() }).optional(),
  /** Whether values that a spreadsheet lost are accepted as identities. */
  damaged: z.enum(['reject', 'keep']).optional(),
  /** The worklist whose candidates it accepts. */
  acceptOf: z.uuid().optional(),
  /** The number of rows that the client knows the file to have. */
  expectedRows: z.number().int().optional(),
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
  startedAs: 3,
  options: FIVE_ATTEMPTS,
});

/** A workbook is about 10 times as large when it is decompressed, and its cells take longer to read than those of CSV. */
export const WORKBOOK_GROWTH = 20;

/**
 * Returns the queue for an upload. Large uploads have a separate queue, so that a small correction never waits for one.
 * @param bytes the decompressed size
 */
export const importQueue = (bytes: number, smallUpTo: number): QueueOf<typeof identityImport> =>
  bytes <= smallUpTo ? SMALL : LARGE;
