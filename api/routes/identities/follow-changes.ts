import type Koa from 'koa';
import { z } from 'zod';
import {
  FEED_OUTCOMES,
  presentChange,
  toCsv,
  toNdjson,
} from '../../../workers/identities/changes/feed-rows.js';
import { type FeedPage, type FeedPlace, readFeedPage, START_OVER } from '../../change-feed/feed-page.js';
import { failures } from '../../endpoint/error-responses.js';
import { wholeNumberText } from '../../endpoint/parameters.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, type Input, NO_PARAMS } from '../../endpoint/route.js';
import { closedSignal } from '../../http/closed-signal.js';
import { QUERY, summary } from '../../http/error-details.js';
import { badRequest, notAcceptable } from '../../http/errors.js';
import { preferredWait } from '../../http/prefer.js';
import { decodeCursor, encodeCursor, linkNext } from '../../lists/cursor.js';
import { escapeFormulas } from '../../lists/list-format.js';
import { readWithDeadline } from '../../lists/read-with-deadline.js';
import { integrationIdText } from './filters.js';

/** The most of every list: a consumer that catches up needs few requests. */
const PAGE_SIZE = 1_000;

/** The formats, and their media types. */
const FORMATS = ['json', 'csv', 'ndjson'] as const;
type Format = (typeof FORMATS)[number];
const MEDIA_TYPES: Record<Format, string> = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

const query = z.strictObject({
  since: z
    .string()
    .min(1)
    .max(4_000)
    .optional()
    .meta({
      description:
        'The cursor of the previous response: `page.nextCursor` or `Muster-Next-Cursor`. `now`: from the present end. Default: from the ' +
        'oldest change that is kept',
    }),
  integrationId: integrationIdText
    .optional()
    .meta({ description: 'Only changes in this account system. A cursor is valid for the same filter only' }),
  pageSize: wholeNumberText(1, PAGE_SIZE)
    .optional()
    .meta({ description: `Maximum number of changes. Default: ${PAGE_SIZE}` }),
  format: z
    .enum(FORMATS)
    .optional()
    .meta({ description: 'The format of the page. By default, `Accept` decides' }),
  escapeFormulas,
});

const changeSchema = z
  .object({
    integrationId: z.number().int(),
    identity: z.string(),
    outcome: z.enum(FEED_OUTCOMES),
    before: z.string().nullable().meta({ description: 'The owner before; null if there was none' }),
    after: z.string().nullable().meta({ description: 'The owner since; null if it was removed' }),
    jobId: z.uuid().meta({ description: 'The upload, removal or revert' }),
    changedAt: z.iso.datetime().meta({ description: 'With microseconds' }),
  })
  .meta({ id: 'IdentityChange' });

const pageSchema = z.object({
  pageSize: z.number().int(),
  nextCursor: z.string().meta({ description: 'Send it as `since` of the next request' }),
  hasMore: z
    .boolean()
    .meta({ description: 'Whether there are more changes already. A page may be shorter nevertheless' }),
});

const placeSchema = z
  .tuple([z.int().min(1), z.int().min(0), z.string().nullable()])
  .transform(([position, row, after]): FeedPlace => ({ position, row, after }));

type FeedQuery = z.infer<typeof query>;

export const followChanges = defineRoute({
  method: 'get',
  path: '/v2/developers/identities/changes',
  operationId: 'followIdentityChanges',
  tag: 'Identity',
  summary: 'Follow the changes of all identities',
  description:
    'Returns each change of the owner of an account in the order in which they were committed: uploads, removals, mirrors and reverts. Each ' +
    'response has the cursor of the next page, also at the end. With `Prefer: wait=N`, a request at the end waits up to N seconds, 60 at most, ' +
    'for a change. Changes are kept for 30 days (`IDENTITY_CHANGES_DAYS`). A cursor that needs older ones gets 410 `cursor_expired`: take a ' +
    'new one with `since=now`, then download all identities, then follow. Applying a change that the download already contains changes nothing.',
  scopes: ['developer_records:read'],
  query,
  params: NO_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: {
      description: 'A page of changes; empty at the end',
      headers: { 'Muster-Next-Cursor': 'always', Link: 'sometimes' },
      body: {
        'application/json': z.object({ ...success, data: z.array(changeSchema), page: pageSchema }),
        'text/csv': z.string(),
        'application/x-ndjson': z.string(),
      },
    },
    ...failures(400, 406, 410, 503),
  },
  handle: async (input) => {
    const { ctx, query } = input;
    const format = formatOf(ctx, query);
    const { pageSize = PAGE_SIZE, integrationId, since } = query;
    const list = { integrationId };
    const from = since === undefined ? 'oldest' : since === 'now' ? 'now' : decode(ctx, list, since);
    const page = await readOrWait(input, from, { integrationId, limit: pageSize });
    const { position, row, after } = page.next;
    const nextCursor = encodeCursor(ctx, list, [position, row, after]);
    ctx.set('Muster-Next-Cursor', nextCursor);
    if (page.hasMore) linkNext(ctx, 'since', nextCursor);
    if (format === 'json') {
      ctx.body = {
        status: 'success',
        data: page.changes.map(presentChange),
        page: { pageSize, nextCursor, hasMore: page.hasMore },
      };
      return;
    }
    ctx.type = `${MEDIA_TYPES[format]}; charset=utf-8`;
    ctx.body = format === 'csv' ? toCsv(page.changes, query.escapeFormulas ?? false) : toNdjson(page.changes);
  },
});

const decode = (ctx: Koa.Context, list: object, since: string): FeedPlace =>
  decodeCursor(ctx, list, { parameter: 'since', text: since, position: placeSchema, startOver: START_OVER });

/** Reads a page. At the end of the feed, waits for a change as long as the request prefers. */
async function readOrWait(
  { ctx, principal, services }: Input<FeedQuery, unknown>,
  start: FeedPlace | 'oldest' | 'now',
  { integrationId, limit }: { integrationId: number | undefined; limit: number },
): Promise<FeedPage> {
  const read = (from: typeof start) =>
    readWithDeadline({
      services,
      apiKeyId: principal.id,
      narrow: 'Request smaller pages.',
      read: (database, withinMs) =>
        readFeedPage(database, { from, integrationId, limit, primary: services.database, withinMs }),
    });
  const until = performance.now() + preferredWait(ctx, 0);
  const first = await read(start);
  if (!isAtEnd(first) || performance.now() >= until) return first;
  const closed = closedSignal(ctx);
  return services.feedWaiter.whileWaiting(principal.id, closed, async (wait) => {
    let page = first;
    while (isAtEnd(page) && (await wait(page.next.position, until - performance.now())))
      page = await read(page.next);
    return page;
  });
}

const isAtEnd = ({ changes, hasMore }: FeedPage): boolean => changes.length === 0 && !hasMore;

/** @throws RequestError 400 if a parameter does not apply to the format, 406 if `Accept` allows none */
function formatOf(ctx: Koa.Context, { format: given, escapeFormulas }: FeedQuery): Format {
  ctx.vary('Accept');
  const format = given ?? acceptedFormat(ctx);
  if (format === 'csv' || escapeFormulas === undefined) return format;
  const errors = [{ field: 'escapeFormulas', code: 'not_in_this_format', message: 'applies to CSV only' }];
  throw badRequest('invalid_query', summary(QUERY, errors), errors);
}

function acceptedFormat(ctx: Koa.Context): Format {
  const accepted = ctx.accepts(...Object.values(MEDIA_TYPES));
  const format = FORMATS.find((name) => MEDIA_TYPES[name] === accepted);
  if (!format) throw notAcceptable(Object.values(MEDIA_TYPES));
  return format;
}
