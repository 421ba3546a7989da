import { z } from 'zod';
import {
  type AccountSystem,
  deleteAccountSystem as dropAccountSystem,
  findAccountSystem,
  listAccountSystems as readAccountSystems,
} from '../../../db/identities/account-systems.js';
import { lockChanges } from '../../../db/webhooks/webhook-change.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { authorSchema, failures } from '../../endpoint/error-responses.js';
import { managedBy } from '../../endpoint/managed-by.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { preconditionFailed, readIfMatch, tagRevision } from '../../http/entity-tag.js';
import { notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage } from '../../lists/list-page.js';
import { ACCOUNT_SYSTEM_PARAMS } from '../identities/coverage/read.js';
import { accountSystemSettings, withKind } from './document.js';
import { save } from './save.js';

export const accountSystemSchema = z
  .object({
    integrationId: z.number().int(),
    name: z.string(),
    kind: z.string().meta({ description: 'The product, such as `github`; `other` for one that has no word' }),
    accountUrl: z.string().nullable().meta({
      description: 'Where an account is shown: replace `{identity}` by the percent-encoded identity',
    }),
    managedBy,
    revision: z.number().int().meta({ description: 'Counts the changes, for `If-Match`' }),
    savedBy: authorSchema,
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'AccountSystem' });

const one = z.object({ ...success, data: accountSystemSchema });
const common = {
  path: '/v2/integrations/{integrationId}',
  tag: 'Account system',
  query: NO_QUERY,
  params: ACCOUNT_SYSTEM_PARAMS,
} as const;

const present = ({ updatedAt, ...system }: AccountSystem): z.input<typeof accountSystemSchema> =>
  Object.assign({}, system, { updatedAt: updatedAt.toISOString() });

export const listAccountSystems = defineRoute({
  method: 'get',
  path: '/v2/integrations',
  operationId: 'listAccountSystems',
  tag: 'Account system',
  summary: 'List the account systems that have names, by number',
  description:
    'An account system needs no name to be used: `GET /v2/integrations/coverage` lists those that have accounts.',
  scopes: ['developer_records:read'],
  query: z.strictObject(pageQuery),
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(accountSystemSchema), page: pageSchema }),
    },
    ...failures(400),
  },
  handle: ({ ctx, query, services: { database } }) =>
    sendPage<AccountSystem, number>(ctx, {
      page: query,
      filters: {},
      position: z.tuple([z.int().positive()]).transform(([integrationId]) => integrationId),
      positionOf: ({ integrationId }) => [integrationId],
      read: (page) => readAccountSystems(database, page),
      present,
    }),
});

export const getAccountSystem = defineRoute({
  ...common,
  method: 'get',
  operationId: 'getAccountSystem',
  etag: true,
  summary: 'Get the name of an account system',
  description: 'The response is 404 if it has none.',
  scopes: ['developer_records:read'],
  responses: { 200: { description: 'The account system', body: one }, ...failures(404) },
  handle: async ({ ctx, params, services: { database } }) => {
    const found = await findAccountSystem(database, params.integrationId);
    if (!found) throw notFound('account system with a name');
    ctx.body = { status: 'success', data: present(found) };
    tagRevision(ctx, String(found.revision));
  },
});

export const putAccountSystem = defineRoute({
  ...common,
  method: 'put',
  operationId: 'putAccountSystem',
  summary: 'Name an account system',
  description:
    'Creates or replaces the name, the kind and the URL pattern of its accounts; what the body leaves out gets its default. Uploads, filters and jobs go on to use the number. Send ' +
    '`If-Match` with the `ETag` of `GET`, to change only what you have read; `"0"` means that it had no name.',
  scopes: ['developer_records:write'],
  idempotent: true,
  headers: ['If-Match'],
  requestBody: { 'application/json': accountSystemSettings.meta({ id: 'AccountSystemSettings' }) },
  responses: {
    200: { description: 'The account system', body: one, headers: { ETag: 'always' } },
    201: { description: 'It had no name', body: one, headers: { ETag: 'always', Location: 'always' } },
    ...failures(400, 404, 409, 412, 413, 415, 422),
  },
  handle: async (input) => {
    const { integrationId } = input.params;
    const isExpected = readIfMatch(input.ctx);
    const given = withKind(
      await readJson(input.ctx, accountSystemSettings, input.once, { limit: 64 * 1024 }),
    );
    await changeOnce(input, async (transaction) => {
      await lockChanges(transaction);
      const before = await findAccountSystem(transaction, integrationId);
      if (!isExpected(before?.revision ?? 0)) throw overtaken(before);
      await save(transaction, { ...given, integrationId }, { before, author: input.principal });
      const after = await findAccountSystem(transaction, integrationId);
      if (!after) throw notFound('account system with a name');
      const headers = { ETag: `"${after.revision}"` };
      return {
        status: before ? 200 : 201,
        headers: before ? headers : { ...headers, Location: `/v2/integrations/${integrationId}` },
        body: { status: 'success', data: present(after) },
        audit: changed(
          ['account_system', integrationId, after.name],
          before && present(before),
          present(after),
        ),
      };
    });
  },
});

export const deleteAccountSystem = defineRoute({
  ...common,
  method: 'delete',
  operationId: 'deleteAccountSystem',
  summary: 'Take the name of an account system away. Its accounts stay',
  scopes: ['developer_records:write'],
  idempotent: true,
  headers: ['If-Match'],
  responses: { 204: { description: 'It has no name any more' }, ...failures(400, 404, 409, 412) },
  handle: async (input) => {
    const isExpected = readIfMatch(input.ctx);
    await changeOnce(input, async (transaction) => {
      await lockChanges(transaction);
      const before = await findAccountSystem(transaction, input.params.integrationId);
      if (!before) throw notFound('account system with a name');
      if (!isExpected(before.revision)) throw overtaken(before);
      await dropAccountSystem(transaction, before.integrationId);
      const audit = changed(['account_system', before.integrationId, before.name], present(before), null);
      return { status: 204, body: null, audit };
    });
  },
});

const overtaken = (found: AccountSystem | null) =>
  preconditionFailed('name of this account system', found ?? { revision: 0, savedBy: null });
