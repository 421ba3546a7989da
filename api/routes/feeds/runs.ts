import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import {
  type FeedRun,
  findRun,
  insertRun,
  openRun,
  listRuns as readRuns,
} from '../../../db/feeds/feed-runs.js';
import { findFeed, lockFeed } from '../../../db/feeds/feeds.js';
import { appliesOf } from '../../../db/identities/history/applied-plans.js';
import { guardsSchema, trippedGuards } from '../../../workers/feeds/rules/guards.js';
import { feedRun } from '../../../workers/queues/contracts/feed-run.js';
import { readJson } from '../../body/read-body.js';
import { failures } from '../../endpoint/error-responses.js';
import { flag } from '../../endpoint/parameters.js';
import { ACCEPTED_HEADERS, success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { conflict, notFound } from '../../http/errors.js';
import { jobResponse } from '../../jobs/job-schema.js';
import { respondWithJob } from '../../jobs/respond-with-job.js';
import { submitJob } from '../../jobs/submit-job.js';
import { PAGE_HEADERS, pageQuery, pageSchema, readPage } from '../../lists/list-page.js';
import { presentRun, runSchema, trippedSchema } from './schema.js';

export const startFeedRun = defineRoute({
  method: 'post',
  path: '/v2/feeds/{id}/runs',
  operationId: 'startFeedRun',
  tag: 'Feed',
  summary: 'Start a run of a feed now, also of a paused one',
  description:
    'Runs as a job. It fetches the file, plans what that changes, and applies the plan if all guards let it pass. A feed has one run at a time.',
  scopes: ['developer_records:write'],
  idempotent: true,
  headers: ['Prefer'],
  query: z.strictObject({
    dryRun: flag.default(false).meta({
      description: 'Plan only. The plan can be applied later: `POST /v2/jobs/{planId}/apply`',
      override: { type: 'boolean', default: false },
    }),
  }),
  params: ID_PARAMS,
  responses: {
    200: { description: 'The run ended within the time of `Prefer: wait`', body: jobResponse },
    202: { description: 'Accepted; `Location` is the job', body: jobResponse, headers: ACCEPTED_HEADERS },
    ...failures(400, 404, 409, 422, 429),
  },
  handle: async ({ ctx, query: { dryRun }, params, origin, once, services }) => {
    if (!(await findFeed(services.database, params.id))) throw notFound('feed');
    const jobId = await submitJob(services, {
      contract: feedRun,
      params: { version: 1, feedId: params.id, dryRun },
      origin,
      once,
      recording: async (transaction, id) => {
        if (!(await lockFeed(transaction, params.id))) throw notFound('feed');
        const open = await openRun(transaction, params.id);
        if (open) throw conflict('feed_runs', 'The feed runs already. Wait for the job `jobId`.', open.jobId);
        const run = { jobId: id, feedId: params.id, startedBy: 'request', isDryRun: dryRun } as const;
        await insertRun(transaction, run);
      },
    });
    await respondWithJob(ctx, services, jobId, 'The feed has run.');
  },
});

const position = z
  .tuple([z.iso.datetime(), z.uuid()])
  .transform(([startedAt, id]): [Date, string] => [new Date(startedAt), id]);

export const listFeedRuns = defineRoute({
  method: 'get',
  path: '/v2/feeds/{id}/runs',
  operationId: 'listFeedRuns',
  tag: 'Feed',
  summary: 'List the runs of a feed, newest first',
  description: 'Kept for 400 days.',
  scopes: ['developer_records:read'],
  query: z.strictObject({
    unchanged: flag.default(true).meta({
      description: 'Whether runs that found the file unchanged are listed too',
      override: { type: 'boolean', default: true },
    }),
    ...pageQuery,
  }),
  params: ID_PARAMS,
  responses: {
    200: {
      description: 'A page of runs',
      headers: PAGE_HEADERS,
      body: z.object({ ...success, data: z.array(runSchema), page: pageSchema }),
    },
    ...failures(400, 404),
  },
  handle: async ({ ctx, query: { unchanged, ...page }, params, services: { database } }) => {
    if (!(await findFeed(database, params.id))) throw notFound('feed');
    const states = unchanged ? undefined : CHANGED;
    const { rows, pageSize, nextCursor } = await readPage<FeedRun, [Date, string]>(ctx, {
      page,
      filters: { feedId: params.id, unchanged: String(unchanged) },
      position,
      positionOf: ({ startedAt, jobId }) => [startedAt.toISOString(), jobId],
      read: ({ limit, after }) => readRuns(database, params.id, { limit, after, states }),
    });
    const applies = await appliesOfRuns(database, rows);
    ctx.body = {
      status: 'success',
      data: rows.map((run) => presentRun(run, applies)),
      page: { pageSize, nextCursor },
    };
  },
});

const CHANGED = ['running', 'applied', 'held', 'planned', 'failed', 'canceled'] as const;

export const getFeedRun = defineRoute({
  method: 'get',
  path: '/v2/feeds/{id}/runs/{runId}',
  operationId: 'getFeedRun',
  tag: 'Feed',
  summary: 'Get a run of a feed',
  scopes: ['developer_records:read'],
  query: NO_QUERY,
  params: ID_PARAMS.extend({
    runId: z.uuid().meta({ description: 'Id of the run, which is that of its job' }),
  }),
  responses: {
    200: { description: 'The run', body: z.object({ ...success, data: runSchema }) },
    ...failures(404),
  },
  handle: async ({ ctx, params, services: { database } }) => {
    const run = await findRun(database, params.runId);
    if (!run || run.feedId !== params.id) throw notFound('run');
    ctx.body = { status: 'success', data: presentRun(run, await appliesOfRuns(database, [run])) };
  },
});

const appliesOfRuns = (database: Database, runs: readonly FeedRun[]): Promise<Map<string, string>> =>
  appliesOf(
    database,
    runs.flatMap(({ planId, applyId }) => (planId !== null && applyId === null ? planId : [])),
  );

/** Runs over which guards are tried. */
const TRIED = 90;

export const tryFeedGuards = defineRoute({
  method: 'post',
  path: '/v2/feeds/{id}/guards/try',
  operationId: 'tryFeedGuards',
  changesNothing: true,
  tag: 'Feed',
  summary: 'See what guards would have done over the last runs',
  description: `Judges the last ${TRIED} runs that had a plan by the given guards. Nothing is changed.`,
  scopes: ['developer_records:read'],
  query: NO_QUERY,
  params: ID_PARAMS,
  requestBody: { 'application/json': guardsSchema },
  responses: {
    200: {
      description: 'The runs, newest first',
      body: z.object({
        ...success,
        data: z.array(
          z.object({ id: z.uuid(), startedAt: z.iso.datetime(), state: z.string(), tripped: trippedSchema }),
        ),
        summary: z.object({ runs: z.int(), held: z.int() }),
      }),
    },
    ...failures(400, 404, 413, 415),
  },
  handle: async ({ ctx, params, services: { database } }) => {
    const feed = await findFeed(database, params.id);
    if (!feed) throw notFound('feed');
    const guards = await readJson(ctx, guardsSchema, null);
    const judged = await readRuns(database, feed.id, {
      limit: TRIED,
      states: ['applied', 'held', 'planned'],
    });
    const data = judged.flatMap(({ jobId, startedAt, state, facts }) =>
      facts
        ? { id: jobId, startedAt: startedAt.toISOString(), state, tripped: trippedGuards(guards, facts) }
        : [],
    );
    const held = data.filter(({ tripped }) => tripped.length > 0).length;
    ctx.body = { status: 'success', data, summary: { runs: data.length, held } };
  },
});
