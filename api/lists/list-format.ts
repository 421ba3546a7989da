import type Koa from 'koa';
import { z } from 'zod';
import { failures } from '../endpoint/error-responses.js';
import { flag } from '../endpoint/parameters.js';
import type { HeaderDocs } from '../endpoint/response-headers.js';
import { ACCEPTED_HEADERS, accepted, success } from '../endpoint/responses.js';
import type { ResponseDoc } from '../endpoint/route.js';
import { QUERY, summary } from '../http/error-details.js';
import { badRequest, notAcceptable } from '../http/errors.js';
import { PAGE_HEADERS } from './list-page.js';

/** The formats of a list, as a query parameter. */
export const listFormatQuery = z
  .enum(['json', 'csv'])
  .optional()
  .meta({ description: 'One page as JSON, or all rows as CSV. By default, `Accept` decides' });

export const escapeFormulas = flag.optional().meta({
  description:
    "CSV only, for spreadsheets: prefixes cells that look like a formula with ' and names their columns `…Escaped`",
});

/** The response headers of a list that is sent either as a page or as a file made for this request. */
export const MADE_FILE_HEADERS = {
  ...PAGE_HEADERS,
  ETag: 'sometimes',
  'Content-Disposition': 'sometimes',
  'Content-Location': 'sometimes',
} as const satisfies HeaderDocs;

/** Returns the responses of a list that is sent either as a page of such rows or as a CSV file made for this request. */
export const pageOrFileResponses = (row: z.ZodType, page: z.ZodType): Record<number, ResponseDoc> => ({
  200: {
    description: 'A page, or the file',
    headers: MADE_FILE_HEADERS,
    body: { 'application/json': z.object({ ...success, data: z.array(row), page }), 'text/csv': z.string() },
  },
  202: {
    description: 'The file is not ready yet; `Location` is its job',
    body: accepted,
    headers: ACCEPTED_HEADERS,
  },
  ...failures(400, 406, 422, 429),
});

export type ListFormat = 'json' | 'csv';

/**
 * Returns the format that the request asks for, by the parameter `format` or else by `Accept`.
 * @param only the parameters that apply to one format only; a client that sends one for the other format expects an effect
 * @throws RequestError 400 `invalid_query` for such a parameter, 406 if `Accept` allows neither format
 */
export function listFormat<Query extends { format?: ListFormat | undefined }>(
  ctx: Koa.Context,
  query: Query,
  only: Record<ListFormat, readonly (keyof Query & string)[]>,
): ListFormat {
  ctx.vary('Accept');
  const format = query.format ?? acceptedFormat(ctx);
  const errors = only[format === 'csv' ? 'json' : 'csv']
    .filter((name) => query[name] !== undefined)
    .map((field) => ({ field, code: 'not_in_this_format', message: MISPLACED[format] }));
  if (errors.length > 0) throw badRequest('invalid_query', summary(QUERY, errors), errors);
  return format;
}

const MISPLACED = {
  json: 'applies to CSV only',
  csv: 'applies to JSON pages only: a CSV file holds all rows',
};

function acceptedFormat(ctx: Koa.Context): ListFormat {
  const wanted = ctx.accepts('application/json', 'text/csv');
  if (wanted === false) throw notAcceptable(['application/json', 'text/csv']);
  return wanted === 'text/csv' ? 'csv' : 'json';
}

/** Responds to a `HEAD` for a CSV without starting an export. The length of the file is unknown. */
export function announceCsv(ctx: Koa.Context): void {
  ctx.status = 200;
  ctx.type = 'text/csv; charset=utf-8';
}
