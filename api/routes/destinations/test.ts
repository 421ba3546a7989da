import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Destination, findDestination } from '../../../db/outbox/destinations.js';
import type { presentJob } from '../../../workers/callbacks/present-job.js';
import type { Told, ToldJob } from '../../../workers/outbox/presets/preset.js';
import { prepareRequest, sendPrepared } from '../../../workers/outbox/send.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, ID_PARAMS, NO_QUERY } from '../../endpoint/route.js';
import { conflict, notFound } from '../../http/errors.js';
import { requirePreset } from './preset-rules.js';
import { attemptSchema } from './schema.js';

export const resultSchema = attemptSchema.pick({ outcome: true, status: true, response: true }).extend({
  delivered: z.boolean(),
  tookMs: z.number().int(),
  body: z.string().meta({ description: 'What was sent' }),
});

export const testDestination = defineRoute({
  method: 'post',
  path: '/v2/destinations/{id}/test',
  operationId: 'testDestination',
  changesNothing: true,
  tag: 'Destination',
  summary: 'Send a test message now, and return what the receiver responds',
  description:
    'It is sent once, in the same way as other messages, also to a destination that is paused. It is not listed. It is about an alert, or about a job if the destination is told of ' +
    'jobs only.',
  scopes: ['destinations:write'],
  query: NO_QUERY,
  params: ID_PARAMS,
  responses: {
    200: { description: 'The result', body: z.object({ ...success, data: resultSchema }) },
    ...failures(404, 409),
  },
  handle: async ({ ctx, params: { id }, services }) => {
    const { database, settings, intake, send, clock } = services;
    const destination = await findDestination(database, id);
    if (!destination) throw notFound('destination');
    const preset = requirePreset(destination.preset);
    const open = (sealed: Buffer, owner: string) => intake.box.open(sealed, owner);
    const url = open(destination.url, id);
    if (url === null)
      throw conflict(
        'unreadable_url',
        'The URL of the destination was encrypted with another SECRET_KEY. Save it again.',
      );
    const now = () => clock.now();
    const told = testMessage(destination, settings.publicUrl, new Date(now()));
    const prepared = prepareRequest({ destination, preset, url, now, open }, told, null);
    if ('fault' in prepared) {
      const unsent = {
        delivered: false,
        outcome: 'body',
        status: null,
        response: prepared.fault,
        tookMs: 0,
        body: '',
      };
      ctx.body = { status: 'success', data: unsent };
      return;
    }
    const { verdict, outcome, status, response, tookMs } = await sendPrepared(
      { send, now },
      preset,
      prepared,
    );
    ctx.body = {
      status: 'success',
      data: {
        delivered: verdict.outcome === 'delivered',
        outcome,
        status,
        response,
        tookMs,
        body: prepared.body.toString(),
      },
    };
  },
});

function testMessage({ id, types }: Destination, publicUrl: string, now: Date): Told | ToldJob {
  const at = now.toISOString();
  return types.length === 0 ? testJob(id, at) : testAlert(publicUrl, at);
}

const idOfTest = (id: string): string => `msg_test_${id.slice(0, 12)}`;

function testJob(callback: string, at: string): ToldJob {
  const id = randomUUID();
  const job: ReturnType<typeof presentJob> = {
    id,
    type: 'identity-import',
    state: 'completed',
    dryRun: false,
    fileName: 'test-from-muster.csv',
    callback,
    progress: { rowsRead: 3, rowsTotal: 3, bytesRead: 128, bytesTotal: 128, percent: 100 },
    counts: { total: 3, created: 2, updated: 1, unchanged: 0, superseded: 0, rejected: 0 },
    warnings: [],
    links: { self: `/v2/jobs/${id}` },
    createdAt: at,
    startedAt: at,
    finishedAt: at,
    expiresAt: at,
    attempts: 1,
  };
  return { id: idOfTest(id), at, sequence: 0, isTest: true, previousStatus: 'running', job };
}

function testAlert(publicUrl: string, at: string): Told {
  const id = randomUUID();
  return {
    id: idOfTest(id),
    type: 'alert.fired',
    at,
    sequence: 0,
    isTest: true,
    alert: {
      id,
      webhookId: id,
      webhookName: 'Muster',
      dedupKey: `muster:test:${id}`,
      status: 'firing',
      severity: 'info',
      title: 'Test from Muster',
      description: 'Somebody tests this destination. Nothing is wrong.',
      source: 'Muster',
      service: null,
      environment: null,
      team: null,
      custom: {},
      startedAt: at,
      resolvedAt: null,
      resolvedBy: null,
      resolution: null,
      peakSeverity: 'info',
      eventCount: 1,
      link: `${publicUrl}/alerts`,
    },
  };
}
