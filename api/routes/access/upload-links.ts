import { z } from 'zod';
import {
  countOpenLinks,
  revokeUploadLink as endUploadLink,
  findUploadLink,
  createUploadLink as insertUploadLink,
  LINK_CHECKS,
  LINK_STATES,
  listUploadLinks as readUploadLinks,
  type UploadLink,
} from '../../../db/access/upload-links.js';
import { readNow } from '../../../db/client/now.js';
import { findAccountSystem } from '../../../db/identities/account-systems.js';
import { changed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { isoTime, nameText } from '../../endpoint/parameters.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { BODY, summary } from '../../http/error-details.js';
import { badRequest, conflict, notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage, timePosition } from '../../lists/list-page.js';
import { integrationIdText } from '../identities/filters.js';
import { integrationId } from '../identities/record.js';

const MAX_OPEN_LINKS = 1_000;
const MAX_UPLOADS = 1_000;
const MAX_DAYS = 366;
const DAY_MS = 24 * 60 * 60 * 1_000;

const count = z.number().int();

export const uploadLinkSchema = z
  .object({
    id: z.uuid(),
    integrationId: count.meta({ description: 'The account system that its files are for' }),
    name: z.string(),
    state: z.enum(LINK_STATES).meta({
      description:
        '`used_up`: all uploads are used, and their results can be read until it expires. A link is `revoked` or `expired` too when the key that made it is',
    }),
    uploadsAllowed: count,
    uploadsUsed: count.meta({ description: 'A dry run or a preview does not count' }),
    checksUsed: count.meta({ description: `Dry runs, of which it has ${LINK_CHECKS}` }),
    apiKey: z
      .object({ id: z.uuid(), name: z.string().nullable() })
      .meta({ description: 'The key that made it' }),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable().meta({ description: 'The last upload or dry run' }),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'UploadLink' });

/** What somebody with a link sees of it. */
export const currentUploadLinkSchema = z
  .object({
    name: z.string(),
    integrationId: count,
    accountSystem: z.string().nullable().meta({ description: 'Its name; null if it has none' }),
    state: z.enum(['open', 'used_up']),
    uploadsLeft: count,
    checksLeft: count.meta({ description: 'Dry runs' }),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'CurrentUploadLink' });

const newLinkSchema = z
  .strictObject({
    integrationId,
    name: nameText.meta({ description: 'Whom or what the link is for. The person who has the link sees it' }),
    uploads: z.number().int().min(1).max(MAX_UPLOADS).meta({ description: 'How many files it may import' }),
    expiresAt: isoTime.meta({ description: `At most ${MAX_DAYS} days from now` }),
  })
  .meta({ id: 'NewUploadLink' });

export const createUploadLink = defineRoute({
  method: 'post',
  path: '/v2/upload-links',
  operationId: 'createUploadLink',
  tag: 'Upload link',
  summary: 'Make a link with which somebody uploads files for one account system without an API key',
  description:
    'The response contains the link. It is not shown again. Anyone who has it can preview, check and upload CSV files and Excel workbooks for the account system, and ' +
    'download the rows of their files that were rejected, and nothing else. The link ends with the key that makes it.',
  scopes: ['developer_records:write'],
  idempotent: true,
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': newLinkSchema },
  responses: {
    201: {
      description: 'The new link; `url` is what the person opens',
      body: z.object({ ...success, data: uploadLinkSchema.extend({ url: z.url() }) }),
      headers: { Location: 'always' },
    },
    ...failures(400, 409, 415, 422),
  },
  handle: async (input) => {
    const { principal, services } = input;
    const { uploads, expiresAt, ...others } = await readJson(input.ctx, newLinkSchema, input.once);
    const link = Object.assign(others, {
      uploadsAllowed: uploads,
      expiresAt: new Date(expiresAt),
      apiKeyId: principal.id,
    });
    await changeOnce(input, async (transaction) => {
      requireEnd(link.expiresAt, await readNow(transaction), principal.expiresAt);
      if ((await countOpenLinks(transaction)) >= MAX_OPEN_LINKS)
        throw conflict(
          'too_many_upload_links',
          `There are ${MAX_OPEN_LINKS} upload links that have not ended, which is the limit. No link was made. Revoke one that is no longer used.`,
        );
      const { id, text } = await insertUploadLink(transaction, link);
      const made = await findUploadLink(transaction, id);
      if (!made) throw notFound('upload link');
      const url = `${services.settings.publicUrl}/upload#${text}`;
      const headers = { Location: `/v2/upload-links/${id}` };
      return {
        status: 201,
        headers,
        body: { status: 'success', data: Object.assign(present(made), { url }) },
        audit: changed(['upload_link', id, made.name], null, present(made)),
      };
    });
  },
});

export const listUploadLinks = defineRoute({
  method: 'get',
  path: '/v2/upload-links',
  operationId: 'listUploadLinks',
  tag: 'Upload link',
  summary: 'List upload links, newest first',
  description: '`GET /v2/jobs?uploadLink=ID` lists what a link has uploaded and checked.',
  scopes: ['developer_records:read', 'developer_records:write'],
  query: z.strictObject({
    integrationId: integrationIdText.optional().meta({ description: 'Only links for this account system' }),
    ...pageQuery,
  }),
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page of links, without their texts',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(uploadLinkSchema), page: pageSchema }),
    },
    ...failures(400),
  },
  handle: async ({ ctx, query: { integrationId: system, pageSize, cursor }, services }) => {
    const filters = { integrationId: system };
    await sendPage(ctx, {
      page: { pageSize, cursor },
      filters,
      read: (page) => readUploadLinks(services.database, filters, page),
      position: timePosition,
      positionOf: ({ createdAt, id }) => [createdAt, id],
      present,
    });
  },
});

export const getCurrentUploadLink = defineRoute({
  method: 'get',
  path: '/v2/upload-links/current',
  operationId: 'getCurrentUploadLink',
  tag: 'Upload link',
  summary: 'Get the upload link of this request',
  description:
    'For the text of a link, sent as a Bearer token. With an API key the response is 404. A link that is unknown, expired or revoked gets 401, with the `code` ' +
    '`invalid_upload_link`, `upload_link_expired` or `upload_link_revoked`.',
  scopes: ['developer_records:write'],
  query: NO_QUERY,
  params: NO_PARAMS,
  responses: {
    200: { description: 'The link', body: z.object({ ...success, data: currentUploadLinkSchema }) },
    ...failures(404),
  },
  handle: async ({ ctx, principal: { uploadLink: link }, services }) => {
    if (!link) throw notFound('upload link', 'the request has an API key');
    const system = await findAccountSystem(services.database, link.integrationId);
    const data: z.input<typeof currentUploadLinkSchema> = {
      name: link.name,
      integrationId: link.integrationId,
      accountSystem: system?.name ?? null,
      state: link.state === 'open' ? 'open' : 'used_up',
      uploadsLeft: Math.max(0, link.uploadsAllowed - link.uploadsUsed),
      checksLeft: Math.max(0, LINK_CHECKS - link.checksUsed),
      expiresAt: link.expiresAt.toISOString(),
    };
    ctx.body = { status: 'success', data };
  },
});

export const revokeUploadLink = defineRoute({
  method: 'delete',
  path: '/v2/upload-links/{id}',
  operationId: 'revokeUploadLink',
  tag: 'Upload link',
  summary: 'Revoke an upload link',
  description: 'It ends at once. Uploads that were accepted before go on.',
  scopes: ['developer_records:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: { 204: { description: 'Revoked' }, ...failures(404) },
  handle: async (input) => {
    const { id } = input.params;
    await changeOnce(input, async (transaction) => {
      const before = await findUploadLink(transaction, id);
      if (!before) throw notFound('upload link');
      await endUploadLink(transaction, id);
      const after = await findUploadLink(transaction, id);
      const audit = changed(['upload_link', id, before.name], present(before), after && present(after));
      return { status: 204, body: null, audit };
    });
  },
});

/**
 * Checks when a new link ends.
 * @throws RequestError 400
 */
function requireEnd(expiresAt: Date, now: Date, keyExpiresAt: Date | null): void {
  const message =
    expiresAt <= now
      ? 'must be in the future'
      : +expiresAt - +now > MAX_DAYS * DAY_MS
        ? `must be at most ${MAX_DAYS} days from now`
        : keyExpiresAt && expiresAt > keyExpiresAt
          ? `must not be after ${keyExpiresAt.toISOString()}, when the API key expires`
          : null;
  if (message === null) return;
  const errors = [{ field: 'expiresAt', code: 'custom', message }];
  throw badRequest('invalid_body', summary(BODY, errors), errors);
}

const present = (link: UploadLink): z.input<typeof uploadLinkSchema> => ({
  id: link.id,
  integrationId: link.integrationId,
  name: link.name,
  state: link.state,
  uploadsAllowed: link.uploadsAllowed,
  uploadsUsed: link.uploadsUsed,
  checksUsed: link.checksUsed,
  apiKey: link.apiKey,
  createdAt: link.createdAt.toISOString(),
  expiresAt: link.expiresAt.toISOString(),
  lastUsedAt: link.lastUsedAt?.toISOString() ?? null,
  revokedAt: link.revokedAt?.toISOString() ?? null,
});
