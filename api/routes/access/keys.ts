import { z } from 'zod';
import {
  type ApiKey,
  countValidKeys,
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
  SCOPES,
} from '../../../db/access/api-keys.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { isoTime, nameText } from '../../endpoint/parameters.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { conflict, notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage, timePosition } from '../../lists/list-page.js';

export const keySchema = z
  .object({
    id: z.uuid(),
    name: z.string(),
    prefix: z.string().nullable().meta({
      description: 'The first 11 characters of its text. Null for a key that an earlier release created',
    }),
    scopes: z.array(z.enum(SCOPES)),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' });

/** A whole key must not be sent in a URL, which proxies log. */
const keyStart = z
  .string()
  .regex(
    /^mstr_[0-9A-Za-z]{6}$/,
    'must be the first 11 characters of a key, such as mstr_Ab12Cd, and not more',
  );

const newKeySchema = z.strictObject({
  name: nameText,
  scopes: z.array(z.enum(SCOPES)).min(1).max(SCOPES.length),
  expiresAt: isoTime
    .refine((text) => Date.parse(text) > Date.now(), 'must be in the future')
    .nullish()
    .meta({ description: 'When the key expires. Without it, or with null, the key does not expire' }),
});

export const createKey = defineRoute({
  method: 'post',
  path: '/v2/keys',
  operationId: 'createKey',
  tag: 'API key',
  summary: 'Create an API key',
  description:
    'The response contains the text of the key. It is not shown again. If there are `MAX_API_KEYS` valid keys, the response is 409 ' +
    '`too_many_keys`.',
  scopes: ['admin'],
  idempotent: true,
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': newKeySchema },
  responses: {
    201: {
      description: 'The new key; `key` is its text',
      body: z.object({ ...success, data: keySchema.extend({ key: z.string() }) }),
      headers: { Location: 'always' },
    },
    ...failures(400, 409, 415, 422),
  },
  handle: async (input) => {
    const { name, scopes, expiresAt } = await readJson(input.ctx, newKeySchema, input.once);
    const key = { name, scopes: [...new Set(scopes)], expiresAt: expiresAt ? new Date(expiresAt) : null };
    const { clock, settings } = input.services;
    const { maxApiKeys } = settings;
    await changeOnce(input, async (transaction) => {
      if ((await countValidKeys(transaction, new Date(clock.now()))) >= maxApiKeys)
        throw conflict(
          'too_many_keys',
          `There are ${maxApiKeys} API keys, which is the limit. No key was created. Revoke one that is no longer used, or raise MAX_API_KEYS.`,
        );
      const { apiKey, text } = await createApiKey(transaction, key);
      const headers = { Location: `/v2/keys/${apiKey.id}` };
      const body = { status: 'success', data: { ...present(apiKey), key: text } };
      const audit = changed(['api_key', apiKey.id, apiKey.name], null, present(apiKey));
      return { status: 201, headers, body, audit };
    });
  },
});

export const listKeys = defineRoute({
  method: 'get',
  path: '/v2/keys',
  operationId: 'listKeys',
  tag: 'API key',
  summary: 'List API keys, newest first',
  scopes: ['admin'],
  query: z.strictObject({
    prefix: keyStart.optional().meta({ description: 'Only keys whose text begins so: 11 characters' }),
    ...pageQuery,
  }),
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page of keys, without their texts',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(keySchema), page: pageSchema }),
    },
    ...failures(400),
  },
  handle: async ({ ctx, query: { prefix, ...query }, services }) => {
    await sendPage(ctx, {
      page: query,
      filters: { prefix },
      read: (page) => listApiKeys(services.database, Object.assign({ prefix }, page)),
      position: timePosition,
      positionOf: ({ createdAt, id }) => [createdAt, id],
      present,
    });
  },
});

export const getCurrentKey = defineRoute({
  method: 'get',
  path: '/v2/keys/current',
  operationId: 'getCurrentKey',
  etag: true,
  tag: 'API key',
  summary: 'Get the API key of this request',
  scopes: SCOPES,
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'The key', body: z.object({ ...success, data: keySchema }) },
    ...failures(400),
  },
  handle: async ({ ctx, principal: { apiKey } }) => {
    if (!apiKey) throw notFound('API key', 'the request has none');
    ctx.body = { status: 'success', data: present(apiKey) };
  },
});

export const deleteKey = defineRoute({
  method: 'delete',
  path: '/v2/keys/{id}',
  operationId: 'revokeKey',
  tag: 'API key',
  summary: 'Revoke an API key',
  description: 'Within 5 s, every host rejects the key.',
  scopes: ['admin'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: { 204: { description: 'Revoked' }, ...failures(404) },
  handle: async (input) => {
    const { id } = input.params;
    await changeOnce(input, async (transaction) => {
      const before = await findApiKey(transaction, id);
      if (!before) throw notFound('API key');
      await revokeApiKey(transaction, id);
      const after = await findApiKey(transaction, id);
      const audit = changed(['api_key', id, before.name], present(before), after && present(after));
      return { status: 204, body: null, audit };
    });
    input.services.authenticator.forget();
  },
});

const present = (apiKey: ApiKey): z.input<typeof keySchema> => ({
  id: apiKey.id,
  name: apiKey.name,
  prefix: apiKey.prefix,
  scopes: apiKey.scopes,
  createdAt: apiKey.createdAt.toISOString(),
  expiresAt: apiKey.expiresAt?.toISOString() ?? null,
  lastUsedAt: apiKey.lastUsedAt?.toISOString() ?? null,
  revokedAt: apiKey.revokedAt?.toISOString() ?? null,
});
