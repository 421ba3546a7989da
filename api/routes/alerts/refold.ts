import { z } from 'zod';
import { alertRefold } from '../../../workers/queues/contracts/alert-refold.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { ACCEPTED_HEADERS } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { callback, requireCallback } from '../../jobs/callback.js';
import { jobResponse } from '../../jobs/job-schema.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';

const bodySchema = z.strictObject({
  webhookId: z.uuid().optional().meta({ description: 'Only alerts of this integration. Default: all' }),
  dryRun: z.boolean().default(false).meta({ description: 'Only say what would change; change nothing' }),
  callback,
});

export const refoldAlerts = defineRoute({
  method: 'post',
  path: '/v2/alerts/refold',
  operationId: 'refoldAlerts',
  tag: 'Alert',
  summary: 'Bring stored alerts with a `dedupKey` to what their events give by the rules of this release',
  description:
    'Needed once after an upgrade that changes how events become alerts. It reads no bodies of events and applies no mapping, so it works after events have ' +
    'expired, too. Runs as a job, whose `links.file` is a CSV file with each changed field of each alert, before and after. It is complete before the ' +
    'first alert changes. Its `counts` are: alerts = unchanged + changed + added + removed; partial (of the others, alerts some of whose items have ' +
    'expired: their `peakSeverity` is that of the items that are left).',
  scopes: ['alerts:write'],
  idempotent: true,
  headers: ['Prefer'],
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': bodySchema },
  responses: {
    200: { description: 'The job finished within the time of `Prefer: wait`', body: jobResponse },
    202: { description: 'Accepted; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
    ...failures(400, 409, 415, 422, 429),
  },
  handle: async ({ ctx, principal, origin, once, services }) => {
    const { webhookId = null, dryRun, callback } = await readJson(ctx, bodySchema, once);
    const jobId = await submitJob(services, {
      contract: alertRefold,
      params: { version: 1, webhookId, dryRun },
      origin,
      callback: await requireCallback(services, principal, callback),
      once,
    });
    await respondWithJob(ctx, services, jobId, 'The refold is queued.');
  },
});
