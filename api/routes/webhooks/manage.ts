import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { rotateToken } from '../../../db/webhooks/new-token.js';
import {
  insertWebhook,
  updateWebhook,
  type Webhook,
  type WebhookChange,
} from '../../../db/webhooks/webhooks.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { preconditionFailed, readIfMatch } from '../../http/entity-tag.js';
import { notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { changedSignature } from './change-signature.js';
import { makeRoom, newToken, toNewWebhook, toRateLimit, toTime } from './new-webhook.js';
import { presentWebhook } from './present.js';
import { recordedWebhook } from './recorded.js';
import { removeWebhook } from './remove-webhook.js';
import { newWebhookSchema, rotationSchema, webhookChangeSchema, webhookSchema } from './schema.js';

const oneWebhook = z.object({ ...success, data: webhookSchema });

export const createWebhook = defineRoute({
  method: 'post',
  path: '/v2/webhooks',
  operationId: 'createWebhook',
  tag: 'Webhook',
  summary: 'Create a webhook integration. Send events to its `url`',
  description:
    '`template` names an entry of `GET /v2/webhook-templates`. Its mapping becomes the first revision. If there are ' +
    '`MAX_INTEGRATIONS` integrations, the response is 409 `too_many_integrations`.',
  scopes: ['webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': newWebhookSchema },
  responses: {
    201: { description: 'The new integration', body: oneWebhook, headers: { Location: 'always' } },
    ...failures(400, 409, 415),
  },
  handle: async (input) => {
    const { ctx, principal, once, services } = input;
    const id = uuidv7();
    const webhook = await toNewWebhook(id, await readJson(ctx, newWebhookSchema, once), {
      services,
      principal,
    });
    await changeOnce(input, async (transaction) => {
      await makeRoom(transaction, services, 1);
      await insertWebhook(transaction, webhook);
      const data = await presentWebhook({ ...services, database: transaction }, principal, id);
      const headers = { Location: `/v2/webhooks/${id}` };
      const audit = changed(['integration', id, data.name], null, await recordedWebhook(transaction, id));
      return { status: 201, headers, body: { status: 'success', data }, audit };
    });
    await services.intake.directory.refresh();
  },
});

export const changeWebhook = defineRoute({
  method: 'patch',
  path: '/v2/webhooks/{id}',
  operationId: 'updateWebhook',
  tag: 'Webhook',
  summary: 'Update a webhook integration. Only the given properties change',
  description:
    'Send `If-Match` with the `ETag` of the integration, to change it only if nobody else has since.' +
    ' A new `signature.secret` keeps the previous one valid for `graceSeconds`. `{"signature":{"mode":"enforce"}}` starts to reject ' +
    'events without a valid signature.',
  scopes: ['webhooks:write'],
  idempotent: true,
  headers: ['If-Match'],
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': webhookChangeSchema },
  responses: {
    200: { description: 'The updated integration', body: oneWebhook, headers: { ETag: 'sometimes' } },
    ...failures(400, 404, 412, 415),
  },
  handle: async (input) => {
    const { ctx, params, principal, once, services } = input;
    const isExpected = readIfMatch(ctx);
    const { signature, rateLimit, mutedUntil, ...texts } = await readJson(ctx, webhookChangeSchema, once);
    const { box } = services.intake;
    const changeOf = (current: Webhook): WebhookChange => ({
      ...(texts as WebhookChange),
      ...(signature === undefined ? {} : changedSignature(box, current, signature, services.clock.now())),
      ...(rateLimit === undefined ? {} : toRateLimit(rateLimit)),
      ...(mutedUntil === undefined ? {} : { mutedUntil: toTime(mutedUntil) }),
    });
    await changeOnce(input, async (transaction) => {
      const options = { author: principal, isExpected };
      const before = await recordedWebhook(transaction, params.id);
      const outcome = await updateWebhook(transaction, params.id, changeOf, options);
      if (outcome === null) throw notFound('webhook');
      const data = await presentWebhook({ ...services, database: transaction }, principal, params.id);
      if (outcome === 'conflict') throw preconditionFailed('integration', data);
      const headers = { 'Cache-Control': 'no-store', ETag: `"${data.revision}"` };
      const after = await recordedWebhook(transaction, params.id);
      const audit = changed(['integration', data.id, data.name], before, after);
      return { status: 200, headers, body: { status: 'success', data }, audit };
    });
    await services.intake.directory.refresh();
  },
});

export const deleteWebhook = defineRoute({
  method: 'delete',
  path: '/v2/webhooks/{id}',
  operationId: 'deleteWebhook',
  tag: 'Webhook',
  summary: 'Delete a webhook integration. Every host rejects its URLs within 5 s. Its events and alerts stay',
  scopes: ['webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: { 204: { description: 'Deleted' }, ...failures(404) },
  handle: async (input) => {
    await changeOnce(input, async (transaction) => {
      const { id } = input.params;
      const before = await recordedWebhook(transaction, id);
      if (!before || !(await removeWebhook(transaction, id))) throw notFound('webhook');
      return { status: 204, body: null, audit: changed(['integration', id, before.name], before, null) };
    });
    await input.services.intake.directory.refresh();
  },
});

export const rotateWebhook = defineRoute({
  method: 'post',
  path: '/v2/webhooks/{id}/rotate',
  operationId: 'rotateWebhook',
  tag: 'Webhook',
  summary: 'Rotate the URL. The old URL works until the grace period ends',
  scopes: ['webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': rotationSchema },
  responses: {
    200: { description: 'The integration with both URLs', body: oneWebhook },
    ...failures(400, 404, 415),
  },
  handle: async (input) => {
    const {
      params: { id },
      principal,
      services,
    } = input;
    const { graceSeconds } = await readJson(input.ctx, rotationSchema, input.once);
    const graceUntil = new Date(services.clock.now() + graceSeconds * 1_000);
    const { box, directory } = services.intake;
    const token = newToken(box, id);
    await changeOnce(input, async (transaction) => {
      const before = await recordedWebhook(transaction, id);
      if (!(await rotateToken(transaction, id, token, graceUntil))) throw notFound('webhook');
      const data = await presentWebhook({ ...services, database: transaction }, principal, id);
      const after = await recordedWebhook(transaction, id);
      return {
        status: 200,
        headers: { 'Cache-Control': 'no-store' },
        body: { status: 'success', data },
        audit: changed(['integration', id, data.name], before, after),
      };
    });
    await directory.refresh();
  },
});
