import { z } from 'zod';
import type { HeaderDocs } from './response-headers.js';

/** The property that every successful JSON response has. */
export const success = { status: z.literal('success') };

/** The body of a 202 that names only its job. */
export const accepted = z.object({ ...success, message: z.string(), jobId: z.uuid() });

/** Headers of a 202 whose job is still running. */
export const ACCEPTED_HEADERS = { Location: 'always', 'Retry-After': 'always' } as const satisfies HeaderDocs;

/** Headers of a file that can be downloaded in parts. */
export const FILE_HEADERS = {
  ETag: 'always',
  'Accept-Ranges': 'always',
  'Content-Disposition': 'always',
} as const satisfies HeaderDocs;
export const PART_HEADERS = { ...FILE_HEADERS, 'Content-Range': 'always' } as const satisfies HeaderDocs;
