import { z } from 'zod';
import { type Identity, listIdentities } from '../../../db/identities.js';
import type { IdentityKey } from '../../../db/key-order.js';
import { parseIntegrationId } from '../../../workers/queues/identity-record.js';
import { badRequest, notAcceptable } from '../../errors.js';
import { defineRoute, NO_PARAMS } from '../../route.js';
import { commaList, failures, repeatable, success } from '../shared.js';
import { sendCsv } from './download.js';
import { email, identity } from './record.js';

const integrationIdText = z
  .string()
  .transform((text, context) => {
    const value = parseIntegrationId(text.trim());
    if (typeof value !== 'object') return value;
    context.addIssue({ code: 'custom', message: value.message, params: { code: value.code } });
    return z.NEVER;
  })
  .meta({ override: { type: 'integer', minimum: 1 } });

const query = z.strictObject({
  emails: commaList.pipe(z.array(email)).optional(),
  integrationIds: commaList.pipe(z.array(integrationIdText)).optional(),
  identities: repeatable.pipe(z.array(identity)).optional(),
  pageSize: z.coerce.number().int().min(1).max(1_000).default(50),
  cursor: z.string().max(2_000).optional(),
  format: z.enum(['json', 'csv']).optional(),
});
export type ListQuery = z.infer<typeof query>;

const identitySchema = z
  .object({
    email: z.string(),
    integrationId: z.number().int(),
    identity: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Identity' });

export const getIdentities = defineRoute({
  method: 'get',
  path: '/v2/developers/identities',
  tag: 'Identity',
  summary: 'Who owns which account: a page as JSON, or all of them as CSV',
  description:
    'CSV by `Accept: text/csv` or `format=csv` is made by a worker; the request waits for it (60 s, see `Prefer`), else 202.',
  scopes: ['developer_records:read'],
  query,
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page, or the file',
      body: {
        'application/json': z.object({
          ...success,
          data: z.array(identitySchema),
          page: z.object({ pageSize: z.number().int(), nextCursor: z.string().nullable() }),
        }),
        'text/csv': z.string(),
      },
    },
    202: { description: 'The file is not ready yet; `Location` is its job' },
    ...failures(400, 406),
  },
  handle: async (input) => {
    const { ctx, query, services } = input;
    ctx.vary('Accept');
    if (wantedFormat(input.ctx, query) === 'csv') return sendCsv(input);
    const { pageSize, cursor, ...filters } = query;
    const after = cursor === undefined ? undefined : decodeCursor(cursor);
    const found = await listIdentities(services.database, filters, { limit: pageSize + 1, after });
    const page = found.slice(0, pageSize);
    const last = found.length > pageSize ? page.at(-1) : undefined;
    const nextCursor = last ? encodeCursor(last) : null;
    if (nextCursor) ctx.append('Link', nextLink(ctx, nextCursor));
    ctx.body = { status: 'success', data: page.map(present), page: { pageSize, nextCursor } };
  },
});

function wantedFormat(ctx: Parameters<typeof sendCsv>[0]['ctx'], query: ListQuery): 'json' | 'csv' {
  if (query.format) return query.format;
  const wanted = ctx.accepts('application/json', 'text/csv');
  if (wanted === false) throw notAcceptable(['application/json', 'text/csv']);
  return wanted === 'text/csv' ? 'csv' : 'json';
}

const cursorSchema = z.tuple([z.literal(1), z.number().int(), z.string()]);

const encodeCursor = ({ integrationId, identity }: IdentityKey): string =>
  Buffer.from(JSON.stringify([1, integrationId, identity])).toString('base64url');

function decodeCursor(text: string): IdentityKey {
  try {
    const [, integrationId, identity] = cursorSchema.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    );
    return { integrationId, identity };
  } catch {
    throw badRequest('invalid_cursor', 'This is no cursor of this list.', [
      { field: 'cursor', code: 'invalid_cursor', message: 'take nextCursor of a page as it is' },
    ]);
  }
}

function nextLink(ctx: Parameters<typeof sendCsv>[0]['ctx'], cursor: string): string {
  const parameters = new URLSearchParams(ctx.querystring);
  parameters.set('cursor', cursor);
  return `<${ctx.path}?${parameters}>; rel="next"`;
}

const present = (row: Identity): z.input<typeof identitySchema> => ({
  email: row.email,
  integrationId: row.integrationId,
  identity: row.identity,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});
