import type { IncomingMessage } from 'node:http';
import type Router from '@koa/router';
import { z } from 'zod';
import { errorSchema, failures } from '../../endpoint/error-responses.js';
import { defineRoute } from '../../endpoint/route.js';
import { methodNotAllowed, type RequestError } from '../../http/errors.js';
import { challengeOfGet } from '../../intake/challenge.js';
import type { ApiServices } from '../../services.js';
import { INTAKE_PREFIX } from './intake.js';

const PATH = `${INTAKE_PREFIX}{webhook_id}`;
const PARAMS = z.object({
  webhook_id: z.string().max(255).meta({ description: 'The secret part of the URL' }),
});
// A sender may add its own query parameters, as with an event.
const ANY_QUERY = z.object({});

/** Responds to senders that check a URL before they save it. */
export const probeWebhook = defineRoute({
  method: 'get',
  path: PATH,
  operationId: 'probeWebhook',
  tag: 'Webhook',
  summary: 'Check that a webhook URL exists',
  description:
    'For senders that check a URL before they save it. `HEAD` works as well. Stores nothing. A request with a query or a body ' +
    'is probably an event, and gets 405.',
  scopes: 'public',
  query: ANY_QUERY,
  params: PARAMS,
  responses: {
    200: {
      description: 'The URL accepts events. JSON is the response to a challenge of Okta',
      body: { 'text/plain': z.string(), 'application/json': z.object({ verification: z.string() }) },
    },
    ...failures(404),
    405: {
      description: 'The request may be an event. Nothing is stored',
      body: errorSchema,
      headers: { Allow: 'always' },
    },
  },
  handle: async ({ ctx, params, services }) => {
    const { webhook } = await services.intake.directory.check(params.webhook_id);
    const response = challengeOfGet(webhook.challenge, ctx.req);
    if (!response && mayBeEvent(ctx.req)) throw onlyPost();
    ctx.set('Cache-Control', 'no-store');
    ctx.type = response?.contentType ?? 'text/plain';
    ctx.body = response?.body ?? 'This is a Muster webhook URL. Send events to it with POST.\n';
  },
});

/** Returns whether a request carries data. Its sender would take a 200 for "stored". */
const mayBeEvent = ({ url = '', headers }: IncomingMessage): boolean =>
  /\?./.test(url) || Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;

const onlyPost = (): RequestError =>
  methodNotAllowed(
    'A webhook URL accepts events only with POST, as `Allow` says. Nothing was stored. Set the HTTP method of the sender to POST.',
    { Allow: 'POST' },
  );

/** Responds with 405 to the methods that no route of a webhook URL has. */
export function mountOtherMethods(router: Router, { intake }: ApiServices): void {
  router.all(PATH.replace('{webhook_id}', ':token'), async (ctx) => {
    ctx.state.route = PATH;
    await intake.directory.check(ctx.params.token ?? '');
    throw onlyPost();
  });
}

/** A DNS name, as CloudEvents describes the sender, optionally with a port. */
const ORIGIN = /^[A-Za-z0-9*_.-]{1,253}(?::\d{1,5})?$/;

/**
 * Responds to the validation of CloudEvents. The callback URL that a request may contain is never called.
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/http-webhook.md#4-abuse-protection
 */
export const validateWebhook = defineRoute({
  method: 'options',
  path: PATH,
  operationId: 'validateWebhook',
  tag: 'Webhook',
  summary: 'List the methods of a webhook URL, and permit a CloudEvents sender',
  description:
    'If the `challenge` of the integration is `cloudevents` and the request has `WebHook-Request-Origin`, the response permits ' +
    'this sender. `WebHook-Request-Callback` is ignored. Stores nothing.',
  scopes: 'public',
  query: ANY_QUERY,
  params: PARAMS,
  headers: ['WebHook-Request-Origin', 'WebHook-Request-Rate'],
  responses: {
    200: {
      description: 'The URL exists. Without `WebHook-Allowed-Origin`, CloudEvents senders are not permitted',
      headers: {
        Allow: 'always',
        'WebHook-Allowed-Origin': 'sometimes',
        'WebHook-Allowed-Rate': 'sometimes',
      },
    },
    ...failures(404),
  },
  handle: async ({ ctx, params, services }) => {
    const { webhook } = await services.intake.directory.check(params.webhook_id);
    const origin = ctx.get('WebHook-Request-Origin');
    if (webhook.challenge === 'cloudevents' && ORIGIN.test(origin)) {
      ctx.set('WebHook-Allowed-Origin', origin);
      // Events per minute, as in the specification.
      ctx.set(
        'WebHook-Allowed-Rate',
        webhook.eventsPerMinute === null ? '*' : String(webhook.eventsPerMinute),
      );
    }
    ctx.set('Allow', 'POST, GET, HEAD, OPTIONS');
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 200;
    ctx.body = '';
    ctx.remove('Content-Type');
  },
});
