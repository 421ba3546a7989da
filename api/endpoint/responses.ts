import { z } from 'zod';
import type { HeaderDocs } from './response-headers.js';

/** The property that every successful JSON response has. */
export const success = { status: z.literal('success') };

/** The body of a 202 that names only its job. */
export const accepted = z.object({ ...success, message: z.string(), jobId: z.uuid() });

/** Headers of a 202 whose job is still running. */
export const ACCEPTED_HEADERS = { Location: 'always', 'Retry-After': 'always' } as const satisfies HeaderDocs;

/** Headers of a file that can be downloaded in parts. */
const FILE_HEADERS = {
  ETag: 'always',
  'Accept-Ranges': 'always',
  'Content-Disposition': 'always',
} as const satisfies HeaderDocs;
const PART_HEADERS = { ...FILE_HEADERS, 'Content-Range': 'always' } as const satisfies HeaderDocs;

/** Returns the responses of a file that can be downloaded in parts. `body` has a schema for each media type. */
export const fileResponses = <Body extends Record<string, z.ZodType>>(body: Body) => ({
  200: { description: 'The file', body, headers: FILE_HEADERS },
  206: { description: 'The part of the file that `Range` requests', body, headers: PART_HEADERS },
  304: {
    description: 'Not modified: `If-None-Match` contains the `ETag` of this file',
    headers: FILE_HEADERS,
  },
});

const bytes = z.string().meta({ override: { type: 'string', format: 'binary' } });
/** A CSV file, plain or compressed. */
export const CSV_OR_GZIP = { 'text/csv': bytes, 'application/gzip': bytes };
