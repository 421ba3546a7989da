import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { readNow } from '../../../db/client/now.js';
import {
  countFeeds,
  deleteFeed as dropFeed,
  type Feed,
  type FeedChange,
  findFeed,
  findFeedByName,
  insertFeed,
  lockFeed,
  listFeeds as readFeeds,
  updateFeed,
} from '../../../db/feeds/feeds.js';
import { lockChanges } from '../../../db/webhooks/webhook-change.js';
import {
  type FeedSettings,
  splitSecrets,
  storedSettings,
} from '../../../workers/feeds/rules/feed-settings.js';
import { nextRunAt } from '../../../workers/feeds/rules/next-run.js';
import { recipeErrors } from '../../../workers/identities/recipe/recipe.js';
import { changed, Sealed } from '../../audit/changed.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { preconditionFailed, readIfMatch, tagRevision } from '../../http/entity-tag.js';
import { BODY, summary } from '../../http/error-details.js';
import { badRequest, conflict, notFound } from '../../http/errors.js';
import { changeOnce } from '../../idempotency/change-once.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage } from '../../lists/list-page.js';
import type { ApiServices } from '../../services.js';
import { feedChangeSchema, feedSchema, newFeedSchema, presentFeed } from './schema.js';

const MAX_FEEDS = 200;
/** Of a body: rules, names of columns and keys are short. */
const LIMIT = { limit: 256 * 1024 };

const one = z.object({ ...success, data: feedSchema });

export const listFeeds = defineRoute({
  method: 'get',
  path: '/v2/feeds',
  operationId: 'listFeeds',
  tag: 'Feed',
  summary: 'List the feeds of identities, by name',
  scopes: ['developer_records:read'],
  query: z.strictObject(pageQuery),
  params: NO_PARAMS,
  responses: {
    200: {
      description: 'A page',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(feedSchema), page: pageSchema }),
    },
    ...failures(400),
  },
  handle: ({ ctx, query, services: { database } }) =>
    sendPage<Feed, string>(ctx, {
      page: query,
      filters: {},
      position: z.tuple([z.string().max(100)]).transform(([name]) => name),
      positionOf: ({ name }) => [name],
      read: (page) => readFeeds(database, page),
      present: presentFeed,
    }),
});

export const getFeed = defineRoute({
  method: 'get',
  path: '/v2/feeds/{id}',
  operationId: 'getFeed',
  tag: 'Feed',
  etag: true,
  summary: 'Get a feed, without the secrets of its source',
  scopes: ['developer_records:read'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: { 200: { description: 'The feed', body: one }, ...failures(404) },
  handle: async ({ ctx, params, services: { database } }) => {
    const found = await findFeed(database, params.id);
    if (!found) throw notFound('feed');
    ctx.body = { status: 'success', data: presentFeed(found) };
    tagRevision(ctx, String(found.revision));
  },
});

export const createFeed = defineRoute({
  method: 'post',
  path: '/v2/feeds',
  operationId: 'createFeed',
  tag: 'Feed',
  summary: 'Create a feed: a file of identities that is fetched on a schedule',
  description:
    'Its runs act as the API key that has saved it. Start one with `dryRun` first, and look at its plan: `POST /v2/feeds/{id}/runs`.',
  scopes: ['developer_records:write'],
  idempotent: true,
  query: NO_QUERY,
  params: NO_PARAMS,
  requestBody: { 'application/json': newFeedSchema },
  responses: {
    201: { description: 'The new feed', body: one, headers: { Location: 'always', ETag: 'always' } },
    ...failures(400, 409, 413, 415),
  },
  handle: async (input) => {
    const { principal, once, services } = input;
    const { name, ...settings } = await readJson(input.ctx, newFeedSchema, once, LIMIT);
    requireRecipe(settings);
    const id = uuidv7();
    await changeOnce(input, async (transaction) => {
      await lockChanges(transaction);
      if ((await countFeeds(transaction)) >= MAX_FEEDS)
        throw conflict(
          'too_many_feeds',
          `There are ${MAX_FEEDS} feeds, the most there can be. Delete one that is not used.`,
        );
      await requireName(transaction, name, null);
      const change = await toChange(transaction, id, { name, settings, secrets: null }, services);
      await insertFeed(transaction, { id, author: principal, ...change });
      return { status: 201, ...(await saved(transaction, id, null, { Location: `/v2/feeds/${id}` })) };
    });
  },
});

export const changeFeed = defineRoute({
  method: 'patch',
  path: '/v2/feeds/{id}',
  operationId: 'updateFeed',
  tag: 'Feed',
  summary: 'Update a feed. Only the given properties change, each as a whole',
  description:
    'A `source` is sent with its secrets. From then on, runs act as the API key of this request. A run that has not ended yet writes nothing. Send `If-Match` with the `ETag` of the feed, to change it only if nobody else has since.',
  scopes: ['developer_records:write'],
  idempotent: true,
  headers: ['If-Match'],
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': feedChangeSchema },
  responses: {
    200: { description: 'The updated feed', body: one, headers: { ETag: 'always' } },
    ...failures(400, 404, 409, 412, 413, 415),
  },
  handle: async (input) => {
    const { params, principal, once, services } = input;
    const isExpected = readIfMatch(input.ctx);
    const { name, source, ...given } = await readJson(input.ctx, feedChangeSchema, once, LIMIT);
    await changeOnce(input, async (transaction) => {
      await lockChanges(transaction);
      const before = await lockFeed(transaction, params.id);
      if (!before) throw notFound('feed');
      if (!isExpected(before.revision)) throw preconditionFailed('feed', presentFeed(before));
      const present = storedSettings(before.settings);
      const settings = { ...present, ...withoutUndefined(given), source: source ?? present.source };
      requireRecipe(settings);
      if (name !== undefined) await requireName(transaction, name, before.id);
      const kept = source === undefined ? before.secrets : null;
      const wanted = { name: name ?? before.name, settings, secrets: kept };
      await updateFeed(
        transaction,
        before,
        await toChange(transaction, before.id, wanted, services),
        principal,
      );
      return { status: 200, ...(await saved(transaction, before.id, before)) };
    });
  },
});

export const deleteFeed = defineRoute({
  method: 'delete',
  path: '/v2/feeds/{id}',
  operationId: 'deleteFeed',
  tag: 'Feed',
  summary: 'Delete a feed. What it has written stays',
  scopes: ['developer_records:write'],
  idempotent: true,
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: { 204: { description: 'Deleted' }, ...failures(404) },
  handle: async (input) => {
    await changeOnce(input, async (transaction) => {
      const feed = await lockFeed(transaction, input.params.id);
      if (!feed) throw notFound('feed');
      await dropFeed(transaction, feed.id);
      return { status: 204, body: null, audit: changed(['feed', feed.id, feed.name], recorded(feed), null) };
    });
  },
});

const withoutUndefined = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

/** What the audit log says of a feed. */
const recorded = (feed: Feed) =>
  Object.assign(presentFeed(feed), { secrets: Sealed.of(feed.secrets), problem: undefined });

async function saved(
  transaction: Database,
  id: string,
  before: Feed | null,
  headers: Record<string, string> = {},
) {
  const feed = await findFeed(transaction, id);
  if (!feed) throw notFound('feed');
  return {
    headers: { ...headers, ETag: `"${feed.revision}"` },
    body: { status: 'success', data: presentFeed(feed) },
    audit: changed(['feed', id, feed.name], before && recorded(before), recorded(feed)),
  };
}

/** @throws RequestError 400 with everything that is wrong with the rules of a recipe */
function requireRecipe({ recipe, mirror }: FeedSettings): void {
  const errors = recipeErrors(recipe).map(({ field, message }) => ({
    field: `recipe.${field}`,
    code: 'invalid_rule',
    message,
  }));
  if (
    recipe.integrationId !== undefined &&
    (recipe.columns.integrationId ?? recipe.rules.integrationId) !== undefined
  )
    errors.push({
      field: 'recipe.integrationId',
      code: 'invalid_value',
      message: 'cannot be set together with a column or a rule for it',
    });
  if (mirror && recipe.integrationId !== undefined && !mirror.includes(recipe.integrationId))
    errors.push({
      field: 'mirror',
      code: 'invalid_value',
      message: 'must have the account system of all rows, `recipe.integrationId`',
    });
  if (errors.length > 0) throw badRequest('invalid_body', summary(BODY, errors), errors);
}

/** @throws RequestError 409 if another feed has the name */
async function requireName(transaction: Database, name: string, own: string | null): Promise<void> {
  const holder = await findFeedByName(transaction, name);
  if (holder && holder.id !== own)
    throw conflict('name_in_use', `Another feed has the name ${JSON.stringify(name)}. Nothing was changed.`);
}

/** Returns what is stored. @param secrets the encrypted ones that stay; null: those of the given source are encrypted */
async function toChange(
  transaction: Database,
  id: string,
  { name, settings: given, secrets: kept }: { name: string; settings: FeedSettings; secrets: Buffer | null },
  { intake: { box } }: ApiServices,
): Promise<FeedChange> {
  const next = { name, nextRunAt: nextRunAt(given, await readNow(transaction)) };
  if (kept !== null) return { ...next, settings: given, secrets: kept };
  const { settings, secrets } = splitSecrets(given);
  const hasSecrets = Object.keys(secrets).length > 0;
  return { ...next, settings, secrets: hasSecrets ? box.seal(JSON.stringify(secrets), id) : null };
}
