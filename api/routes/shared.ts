import { z } from 'zod';
import type { HeaderDocs } from '../http/response-headers.js';
import type { ResponseDoc } from '../http/route.js';

/** The body of every 4xx and 5xx. */
export const errorSchema = z
  .object({
    status: z.literal('error'),
    message: z.string(),
    code: z.string().meta({ description: 'Stable, snake_case' }),
    requestId: z.string(),
    errors: z
      .array(
        z.object({
          line: z
            .number()
            .int()
            .optional()
            .meta({ description: 'Physical line of a CSV or template, from 1' }),
          column: z.number().int().optional().meta({ description: 'Of a template, from 1' }),
          index: z.number().int().optional().meta({ description: 'Place in a JSON array, from 0' }),
          field: z.string().nullable(),
          code: z.string(),
          message: z.string(),
        }),
      )
      .meta({ description: 'All faults found, the first 100 of them' }),
    errorCount: z.number().int(),
    jobId: z.uuid().optional(),
  })
  .meta({ id: 'Error' });

/** The errors that a route gives by itself; the document adds those that come from the checks before it. */
export const failures = (...statuses: number[]): Record<number, ResponseDoc> =>
  Object.fromEntries(
    statuses.map((status) => [status, { description: meaningOf(status), body: errorSchema }]),
  );

/** What the document says of an error status. */
export const meaningOf = (status: number): string => MEANING[status] ?? 'Error';

const MEANING: Record<number, string> = {
  400: 'The request is not as it should be; `errors` names every fault',
  401: 'No API key, or one that is not valid',
  403: 'The API key lacks the scope',
  404: 'Not there, or not yours to see',
  406: 'Not to be had in that media type',
  408: 'The request did not arrive in time',
  409: 'Not possible in the present state',
  410: 'Gone for good',
  413: 'Larger than the limit',
  415: 'A media type or content coding that is not taken here',
  416: 'No such range of bytes',
  422: 'Well-formed, and still wrong',
  429: 'More than the API key or the integration may have; `code` and `message` name the limit; try again after `Retry-After` seconds',
  500: 'An unexpected error; it has been logged under the `requestId`',
  503: 'Something that the answer needs is away; try again after `Retry-After` seconds',
};

/** Headers of a 202 whose job goes on. */
export const ACCEPTED_HEADERS = { Location: 'always', 'Retry-After': 'always' } as const satisfies HeaderDocs;

/** Headers of a page of a list. */
export const PAGE_HEADERS = { Link: 'sometimes' } as const satisfies HeaderDocs;

/** Headers of a file that can be downloaded in parts. */
export const FILE_HEADERS = {
  ETag: 'always',
  'Accept-Ranges': 'always',
  'Content-Disposition': 'always',
} as const satisfies HeaderDocs;
export const PART_HEADERS = { ...FILE_HEADERS, 'Content-Range': 'always' } as const satisfies HeaderDocs;

/** Headers of a file that is made for one request, beside those of the page that may come in its place. */
export const MADE_FILE_HEADERS = {
  ...PAGE_HEADERS,
  ETag: 'sometimes',
  'Content-Disposition': 'sometimes',
  'Content-Location': 'sometimes',
} as const satisfies HeaderDocs;

export const success = { status: z.literal('success') };

/** Which column of an uploaded CSV file became which field. */
export const uploadColumns = z
  .object({ email: z.string(), integrationId: z.string(), identity: z.string() })
  .meta({
    id: 'UploadColumns',
    description:
      'The column that each field was read from, as the header of the CSV file names it; only for CSV uploads',
  });

/** The body of every 202. */
export const accepted = z.object({ ...success, message: z.string(), jobId: z.uuid() });

/** A whole number in plain digits. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be an integer from ${min} to ${max}`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(min, `must be an integer from ${min} to ${max}`)
        .max(max, `must be an integer from ${min} to ${max}`),
    )
    .meta({ override: { type: 'integer', minimum: min, maximum: max } });

/** `true` or `false`. */
export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ override: { type: 'boolean' } });

/** A comma list, a repeated parameter, or both: `a,b` and `x=a&x=b` are the same. */
export const commaList = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => (Array.isArray(given) ? given : [given]).flatMap((part) => part.split(',')))
  .meta({ override: { type: 'array', items: { type: 'string' } } });

/** A repeated parameter whose values may hold commas. */
export const repeatable = z
  .union([z.string(), z.array(z.string())])
  .transform((given) => (Array.isArray(given) ? given : [given]))
  .meta({ override: { type: 'array', items: { type: 'string' } } });

/** A time with an offset. Its year in UTC has four digits, because the database's times end with the year 9999. */
export const isoTime = z.iso
  .datetime({ offset: true, abort: true, error: 'must be a time such as 2026-01-31T12:00:00Z' })
  .refine((text) => new Date(text).getUTCFullYear() <= 9_999, 'must be before the year 10000');

const time = isoTime.transform((given) => new Date(given)).optional();
const timeDoc = (description: string) => ({ description, override: { type: 'string', format: 'date-time' } });

/** A span of the time of arrival. */
export const arrival = {
  from: time.meta(timeDoc('Arrived then or later')),
  to: time.meta(timeDoc('Arrived before')),
};

/** In which format a list is wanted. */
export const listFormatQuery = z
  .enum(['json', 'csv'])
  .optional()
  .meta({ description: 'A page as JSON or all rows as CSV; without it, `Accept` decides' });

export const escapeFormulas = flag.optional().meta({
  description:
    "For spreadsheets: puts ' in front of cells that one would take for a formula, and names their columns `…Escaped` (CSV only)",
});
