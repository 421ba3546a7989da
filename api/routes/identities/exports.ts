import type Koa from 'koa';
import { z } from 'zod';
import { JOB_KEPT_HOURS } from '../../../workers/queues/contracts/contract.js';
import { identityExport } from '../../../workers/queues/contracts/identity-export.js';
import { parseExactly } from '../../body/json/parse-exactly.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { ACCEPTED_HEADERS } from '../../endpoint/responses.js';
import { defineRoute, NO_BODY, NO_PARAMS } from '../../endpoint/route.js';
import { badRequest } from '../../http/errors.js';
import type { IdempotentRequest } from '../../idempotency/idempotent-request.js';
import { callback, requireCallback } from '../../jobs/callback.js';
import { jobResponse } from '../../jobs/job-schema.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';
import { checkSearch, filterBody, filterQuery, toExportParams } from './filters.js';

const format = z
  .enum(['csv', 'csv.gz'])
  .meta({ description: '`csv` (default), or `csv.gz` for a file compressed with gzip' });

const query = z
  .strictObject({ ...filterQuery, format: format.optional(), callback })
  .superRefine(checkSearch);
const body = z.strictObject({ ...filterBody, format: format.optional(), callback }).superRefine(checkSearch);

export const createExport = defineRoute({
  method: 'post',
  path: '/v2/developers/identities/exports',
  operationId: 'exportIdentities',
  tag: 'Identity',
  summary: 'Export identities to a file',
  description:
    'Send the filters and the format as query parameters or as a JSON body with the same names. A worker writes the file, ' +
    'which shows the table at one instant. You can download it at `/v2/jobs/{id}/file` for 7 days.',
  scopes: ['developer_records:read'],
  query,
  params: NO_PARAMS,
  requestBody: { 'application/json': body },
  responses: {
    200: {
      description: 'The export finished within the time of `Prefer: wait`',
      body: jobResponse,
    },
    202: { description: 'Accepted; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
    ...failures(400, 409, 415, 422, 429),
  },
  idempotent: true,
  headers: ['Prefer'],
  handle: async ({ ctx, query, principal, origin, once, services }) => {
    const given = await readParameters(ctx, query, once);
    const jobId = await submitJob(services, {
      contract: identityExport,
      params: toExportParams(given, given.format ?? 'csv', JOB_KEPT_HOURS),
      origin,
      callback: await requireCallback(services, principal, given.callback),
      once,
    });
    await respondWithJob(ctx, services, jobId, 'The file is ready.');
  },
});

/**
 * Returns the parameters from the body, if there is one, else from the query. Both at once could contradict each
 * other.
 */
async function readParameters(
  ctx: Koa.Context,
  query: z.infer<typeof body>,
  once: IdempotentRequest | null,
): Promise<z.infer<typeof body>> {
  if (!ctx.request.length && !ctx.get('transfer-encoding')) {
    once?.bodyRead(NO_BODY);
    return query;
  }
  const sent = await readJson(ctx, body, once, { parse: parseExactly });
  if (ctx.querystring !== '')
    throw badRequest('invalid_query', 'Send the parameters in the query or in the body, not in both.');
  return sent;
}
