import { z } from 'zod';
import { failures } from '../../endpoint/error-responses.js';
import { defineRoute } from '../../endpoint/route.js';
import { INTAKE_PREFIX } from './intake.js';

/** Many senders check a URL before they save it. */
export const probeWebhook = defineRoute({
  method: 'get',
  path: `${INTAKE_PREFIX}{webhook_id}`,
  operationId: 'probeWebhook',
  tag: 'Webhook',
  summary: 'Check that a webhook URL exists',
  description: 'For senders that try a URL before they use it; `HEAD` works as well. Nothing is stored.',
  scopes: 'public',
  // A sender may add parameters of its own, as it may when it sends an event.
  query: z.object({}),
  params: z.object({ webhook_id: z.string().max(255).meta({ description: 'The secret part of the URL' }) }),
  responses: {
    200: { description: 'The URL takes events', body: { 'text/plain': z.string() } },
    ...failures(404),
  },
  handle: async ({ ctx, params, services }) => {
    await services.intake.directory.check(params.webhook_id);
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'text/plain';
    ctx.body = 'This is a Muster webhook URL. Send events to it with POST.\n';
  },
});
