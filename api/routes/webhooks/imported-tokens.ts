import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import {
  deleteImportedToken as dropToken,
  type ImportedToken,
  insertImportedToken,
  listImportedTokens as readTokens,
} from '../../../db/webhooks/imported-tokens.js';
import { inChange, lockWebhook } from '../../../db/webhooks/webhook-change.js';
import { findWebhook } from '../../../db/webhooks/webhooks.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { nameText } from '../../endpoint/parameters.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { conflict, notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { hashToken } from '../../intake/token.js';
import { weaknessOf } from '../../intake/weak-token.js';

export const MAX_IMPORTED_TOKENS = 100;
/** How much of a token is shown. */
const ENDING = 4;

const tokenText = z
  .string()
  .max(200)
  .trim()
  .superRefine((token, context) => {
    const message = weaknessOf(token);
    if (message) context.addIssue({ code: 'custom', message, params: { code: 'weak_token' } });
  });

const newTokenSchema = z.strictObject({
  token: tokenText.meta({
    description: 'The key that the other product made. Muster stores its hash and never shows it',
  }),
  source: nameText.meta({ description: 'Where it came from' }),
});

const tokenSchema = z
  .object({
    id: z.uuid(),
    source: z.string(),
    ending: z.string().meta({ description: `The last ${ENDING} characters of the token` }),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ImportedToken' });

export const listImportedTokens = defineRoute({
  method: 'get',
  path: '/v2/webhooks/{id}/imported-tokens',
  operationId: 'listImportedTokens',
  tag: 'Webhook',
  summary: 'List the imported tokens of an integration, the newest first',
  scopes: ['webhooks:read', 'webhooks:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: {
      description: `All imported tokens: at most ${MAX_IMPORTED_TOKENS}`,
      body: z.object({ ...success, data: z.array(tokenSchema) }),
    },
    ...failures(404),
  },
  handle: async ({ ctx, params: { id }, services: { database } }) => {
    if (!(await findWebhook(database, id))) throw notFound('webhook');
    const tokens = await readTokens(database, id);
    ctx.body = { status: 'success', data: tokens.map(present) };
  },
});

export const importToken = defineRoute({
  method: 'post',
  path: '/v2/webhooks/{id}/imported-tokens',
  operationId: 'importToken',
  tag: 'Webhook',
  summary: 'Let an integration accept a token that another product made',
  description:
    'Such as the API key of an Opsgenie integration, the routing key of a PagerDuty service, or the token in the URL of a Grafana OnCall integration: what sends to them ' +
    'then only needs the address of Muster. The token works wherever that of the webhook URL does, does not expire, and is not replaced with the URL. It is rejected ' +
    `if it could be guessed, or if any integration has it (409 \`token_in_use\`). An integration has at most ${MAX_IMPORTED_TOKENS} (409 \`too_many_tokens\`).`,
  scopes: ['webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': newTokenSchema },
  responses: {
    201: { description: 'The imported token', body: z.object({ ...success, data: tokenSchema }) },
    ...failures(400, 404, 409, 415),
  },
  handle: async (input) => {
    const { services, once, params } = input;
    const { token, source } = await readJson(input.ctx, newTokenSchema, once);
    await changeOnce(input, async (transaction) => {
      const imported = await inChange(transaction, async (change) => {
        if (!(await lockWebhook(change, params.id))) throw notFound('webhook');
        if ((await readTokens(change, params.id)).length >= MAX_IMPORTED_TOKENS)
          throw conflict(
            'too_many_tokens',
            `An integration has at most ${MAX_IMPORTED_TOKENS} imported tokens. Nothing was changed. Revoke those that nothing uses any more.`,
          );
        return insertImportedToken(change, newImportedToken(params.id, token, source));
      });
      if (!imported)
        throw conflict('token_in_use', 'An integration has this token already. Nothing was changed.');
      const audit = changed(['integration', params.id, await nameOf(transaction, params.id)], null, {
        importedToken: { id: imported.id, source },
      });
      return { status: 201, body: { status: 'success', data: present(imported) }, audit };
    });
    await services.intake.directory.refresh();
  },
});

export const revokeImportedToken = defineRoute({
  method: 'delete',
  path: '/v2/webhooks/{id}/imported-tokens/{tokenId}',
  operationId: 'revokeImportedToken',
  tag: 'Webhook',
  summary: 'Revoke an imported token. Every host rejects it within 5 s',
  scopes: ['webhooks:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS.extend({ tokenId: z.uuid().meta({ description: 'From `GET …/imported-tokens`' }) }),
  responses: { 204: { description: 'Revoked' }, ...failures(404) },
  handle: async (input) => {
    const { id, tokenId } = input.params;
    await changeOnce(input, async (transaction) => {
      const before = (await readTokens(transaction, id)).find((one) => one.id === tokenId);
      const found = await inChange(transaction, (change) => dropToken(change, id, tokenId));
      if (!before || !found) throw notFound('imported token');
      const audit = changed(
        ['integration', id, await nameOf(transaction, id)],
        { importedToken: { id: tokenId, source: before.source } },
        null,
      );
      return { status: 204, body: null, audit };
    });
    await input.services.intake.directory.refresh();
  },
});

const nameOf = async (database: Database, id: string): Promise<string | null> =>
  (await findWebhook(database, id))?.name ?? null;

/** Returns what is stored of a token. */
export const newImportedToken = (webhookId: string, token: string, source: string) => ({
  id: uuidv7(),
  webhookId,
  source,
  ending: token.slice(-ENDING),
  hash: hashToken(token),
});

const present = ({ id, source, ending, createdAt, lastUsedAt }: ImportedToken) => ({
  id,
  source,
  ending,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
});
