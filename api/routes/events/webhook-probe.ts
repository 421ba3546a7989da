import { z } from 'zod';
import { failures } from '../../endpoint/error-responses.js';
import { defineRoute } from '../../endpoint/route.js';
import { INTAKE_PREFIX } from './intake.js';

/** Responds to senders that check a URL before they save it. */
export const probeWebhook = defineRoute({
  method: 'get',
  path: `${INTAKE_PREFIX}{webhook_id}`,
  operationId: 'probeWebhook',
  tag: 'Webhook',
  summary: 'Check that a webhook URL exists',
  description: 'For senders that check a URL before they save it. `HEAD` works as well. Stores nothing.',
  scopes: 'public',
  // A sender may add its own query parameters, as with an event.
  query: z.object({}),
  params: z.object({ webhook_id: z.string().max(255).meta({ description: 'The secret part of the URL' }) }),
  responses: {
    200: { description: 'The URL accepts events', body: { 'text/plain': z.string() } },
    ...failures(404),
  },
  handle: async ({ ctx, params, services }) => {
    await services.intake.directory.check(params.webhook_id);
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'text/plain';
    ctx.body = 'This is a Muster webhook URL. Send events to it with POST.\n';
  },
});
