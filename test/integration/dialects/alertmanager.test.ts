import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { fingerprintOf } from '../../../workers/alertmanager/fingerprint.js';
import { alertIntake } from '../../../workers/queues/contracts/alert-intake.js';
import { areEmpty, queueDepths } from '../../../workers/queues/depth.js';
import { pendingEvents, pendingSizes } from '../../../workers/queues/intake-gauge.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook, sendEvent, type TestWebhook } from '../../support/api/webhooks.js';
import { type Asked, ask, tokenOf } from '../../support/dialects/conformance.js';
import { withoutRedis } from '../../support/dialects/without-redis.js';
import { cases, enoughTime } from '../../support/effort.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
let webhook: TestWebhook;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  webhook = await makeWebhook(client, { template: 'alertmanager' });
});
afterAll(() => stack.stop());

const V2 = '/api/v2/alerts';
const JSON_TYPE = { 'content-type': 'application/json' };
const minutes = (from: number): string => new Date(Date.now() + from * 60_000).toISOString();
const alert = (labels: object, more: object = {}) => ({ labels, ...more });
const post = (body: unknown, path = V2, headers: Record<string, string> = JSON_TYPE): Asked => ({
  path: webhook.path + path,
  headers,
  body,
});
const basic = (password: string) => ({
  authorization: `Basic ${Buffer.from(`muster:${password}`).toString('base64')}`,
});
const bare = (headers: Record<string, string>, path = V2): Asked => ({
  path,
  headers: { ...JSON_TYPE, ...headers },
  body: [],
});
const OTHER_KEY = 'x'.repeat(32);
const unreadable = (why: string) => ({
  code: 400,
  message: expect.stringMatching(`^parsing alerts body from "" failed, because .*${why}`),
});
const DEPRECATED = { status: 'deprecated', error: expect.stringContaining('removed as of version 0.27.0') };

/** Endpoint × case × response. Those of POST are what Alertmanager 0.25 gives, but for the reasons why a body cannot be read. */
const CONFORMANCE: readonly [what: string, asked: () => Asked, status: number, body: unknown][] = [
  ['an alert', () => post([alert({ alertname: 'a' })]), 200, null],
  ['no alerts', () => post([]), 200, null],
  ['a trailing slash', () => post([], '/api/v2/alerts/'), 200, null],
  ['unknown fields', () => post([alert({ alertname: 'a' }, { receivers: [1] })]), 200, null],
  [
    'times that are none',
    () =>
      post([
        alert({ alertname: 'a' }, { startsAt: '0001-01-01T00:00:00.000Z', endsAt: '0001-01-01T00:00:00Z' }),
      ]),
    200,
    null,
  ],
  [
    'nanoseconds and an offset',
    () => post([alert({ alertname: 'a' }, { startsAt: '2026-01-01T10:00:00.123456789+02:00' })]),
    200,
    null,
  ],
  ['a charset', () => post([], V2, { 'content-type': 'application/json; charset=utf-8' }), 200, null],
  ['no type', () => post([], V2, {}), 200, null],
  ['Basic', () => bare(basic(tokenOf(webhook.path))), 200, null],
  ['Bearer', () => bare({ authorization: `Bearer ${tokenOf(webhook.path)}` }), 200, null],
  [
    'an alert larger than an event',
    () => post([alert({ alertname: 'a' }, { annotations: { x: 'x'.repeat(1_100_000) } })]),
    400,
    'the alert exceeds the limit of 1048576 bytes',
  ],
  [
    'no labels',
    () => post([alert({}), alert({ alertname: '' })]),
    400,
    'at least one label pair required; at least one label pair required',
  ],
  [
    'an end before the start',
    () => post([alert({ alertname: 'a' }, { startsAt: minutes(-5), endsAt: minutes(-9) })]),
    400,
    'start time must be before end time',
  ],
  ['a number as label', () => post([alert({ a: 1 })]), 400, 'labels.a must be a string'],
  [
    'another time',
    () => post([alert({ a: 'b' }, { startsAt: 'yesterday' })]),
    400,
    'startsAt must be a time such as 2026-03-01T08:00:00.000Z',
  ],
  ['an object', () => post({}), 400, unreadable('The body is not a JSON array')],
  ['no JSON', () => post('['), 400, unreadable('')],
  ['no body', () => post(undefined), 400, unreadable('The body is empty')],
  [
    'another type',
    () => post([], V2, { 'content-type': 'text/plain' }),
    415,
    { code: 415, message: 'unsupported media type "text/plain", only [application/json] are allowed' },
  ],
  ['no key', () => bare({}), 401, { code: 401, message: 'The request has no key.' }],
  ['an unknown key', () => bare(basic(OTHER_KEY)), 401, { code: 401, message: expect.any(String) }],
  [
    'an unknown key in the URL',
    () => ({ path: `/api/v1/webhook/${OTHER_KEY}${V2}`, headers: JSON_TYPE, body: [] }),
    401,
    { code: 401, message: expect.any(String) },
  ],
  [
    'DELETE',
    () => ({ ...post(undefined), method: 'DELETE' }),
    405,
    { code: 405, message: "Request method 'DELETE' not supported" },
  ],
  ['another path', () => post([], '/api/v2/nothing'), 404, { code: 404, message: expect.any(String) }],
  ['a silence', () => post({}, '/api/v2/silences'), 400, expect.stringContaining('no silences')],
  ...['/api/v2/alerts', '/api/v2/alerts/groups', '/api/v2/receivers', '/api/v2/silences'].map(
    (path): (typeof CONFORMANCE)[number] => [
      `GET ${path}`,
      () => ({ method: 'GET', path: `${webhook.path}${path}?silenced=false` }),
      200,
      [],
    ],
  ),
  [
    'the status',
    () => ({ method: 'GET', path: `${webhook.path}/api/v2/status` }),
    200,
    expect.objectContaining({
      cluster: { status: 'disabled', peers: [] },
      versionInfo: expect.objectContaining({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        goVersion: '',
      }),
      config: { original: '' },
      uptime: expect.stringMatching(/Z$/),
    }),
  ],
  ['v1', () => post([alert({ alertname: 'a' })], '/api/v1/alerts', {}), 200, { status: 'success' }],
  [
    'v1 and no labels',
    () => post([alert({})], '/api/v1/alerts'),
    400,
    { status: 'error', errorType: 'bad_data', error: 'at least one label pair required' },
  ],
  [
    'v1 and an object',
    () => post({}, '/api/v1/alerts'),
    400,
    { status: 'error', errorType: 'bad_data', error: 'The body is not a JSON array.' },
  ],
  ['GET of v1', () => ({ method: 'GET', path: `${webhook.path}/api/v1/status` }), 410, DEPRECATED],
];

describe("Alertmanager's API", () => {
  test.each(CONFORMANCE)('%s', async (_, asked, status, body) => {
    const received = await ask(stack, asked());
    expect(received.body).toEqual(body);
    expect(received.status).toBe(status);
    if (body === null) expect(received.text).toBe('');
    expect(received.headers.location).toBeUndefined();
  });

  test.each(['/-/healthy', '/-/ready'])('%s', async (path) => {
    const get = await ask(stack, { method: 'GET', path: webhook.path + path });
    expect([get.status, get.text]).toEqual([200, 'OK']);
    expect((await ask(stack, { method: 'HEAD', path: webhook.path + path })).status).toBe(200);
  });
});

const alertsOf = async (labels: Record<string, string>) =>
  (await client.get(`/v2/alerts?webhookId=${webhook.id}&dedupKey=${fingerprintOf(labels)}`)).body.data;
/** Returns how many events of an integration are queued, and their size. */
const pendingOf = async ({ id }: TestWebhook): Promise<(number | undefined)[]> => {
  const { redis } = stack.api;
  const counts = [pendingEvents(redis, stack.prefix), pendingSizes(redis, stack.prefix)];
  return (await Promise.all(counts)).map((pending) => pending.get(id));
};
const untilStored = () =>
  until('the queue is empty', async () =>
    areEmpty(await queueDepths(stack.api.redis, stack.prefix, alertIntake.queues)),
  );
const send = async (...alerts: object[]) => expect((await ask(stack, post(alerts))).status).toBe(200);

test('an alert fires, and is resolved once its end has come', async () => {
  const labels = { alertname: 'DiskFull', instance: 'db-1:9100', job: 'node', severity: 'page' };
  const startsAt = minutes(-2);
  const annotations = { summary: 'Disk of db-1 is full', description: '' };
  await send(alert({ ...labels, empty: '' }, { annotations, startsAt, endsAt: minutes(4) }));
  await until('it fires', async () => (await alertsOf(labels))[0]?.status === 'firing');
  expect(await alertsOf(labels)).toMatchObject([
    {
      title: 'DiskFull (db-1:9100)',
      severity: 'critical',
      description: 'Disk of db-1 is full',
      service: 'node',
    },
  ]);
  const detail = async () => (await client.get(`/v2/alerts/${(await alertsOf(labels))[0]?.id}`)).body.data;
  expect((await detail()).repeated).toBeNull();
  for (let round = 0; round < 2; round++)
    await send(alert(labels, { annotations, startsAt, endsAt: minutes(4.1) }));
  await until('it was repeated', async () => (await detail()).repeated?.count === 2);
  const { repeated, lastEventAt } = await detail();
  expect(Date.parse(repeated.lastAt)).toBeGreaterThan(Date.parse(lastEventAt));
  const resolved = alert(labels, { annotations, startsAt, endsAt: minutes(-0.1) });
  await send(resolved);
  await until('it is resolved', async () => (await alertsOf(labels))[0]?.status === 'resolved');
  // Prometheus repeats it for 15 minutes, and another replica may be late.
  for (let round = 0; round < 15; round++) await send(resolved);
  await send(alert(labels, { annotations, startsAt: minutes(-3), endsAt: minutes(4) }));
  await send(alert(labels, { annotations, startsAt: minutes(-0.05), endsAt: minutes(4) }));
  await until('it fires again', async () => (await alertsOf(labels))[0]?.status === 'firing');
  expect(await alertsOf(labels)).toMatchObject([{ eventCount: 1 }, { status: 'resolved', eventCount: 2 }]);
});

test('an alert whose times are none fires, and so does one whose end has nanoseconds and an offset', async () => {
  const none = '0001-01-01T00:00:00.000Z';
  const end = new Date(Date.now() + (2 * 60 + 30) * 60_000).toISOString().replace('Z', '123456+02:00');
  await send(
    alert({ alertname: 'Zero' }, { startsAt: none, endsAt: none }),
    alert({ alertname: 'Nano' }, { endsAt: end }),
  );
  for (const alertname of ['Zero', 'Nano'])
    await until('it fires', async () => (await alertsOf({ alertname }))[0]?.status === 'firing');
});

test.each([
  ['v2', V2, { code: 503, message: expect.stringContaining('Try again') }],
  [
    'v1',
    '/api/v1/alerts',
    { status: 'error', errorType: 'server_error', error: expect.stringContaining('Try again') },
  ],
])('while the queue is unavailable, %s has the form of its errors', async (_, path, body) => {
  const received = await withoutRedis(stack, () => ask(stack, post([alert({ alertname: 'Away' })], path)));
  expect([received.status, received.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(received.body).toEqual(body);
});

test('a webhook of Alertmanager is about the same alert', async () => {
  const labels = { alertname: 'Slow', instance: 'web-1' };
  const startsAt = minutes(-2);
  await send(alert(labels, { startsAt, endsAt: minutes(4) }));
  await until('it fires', async () => (await alertsOf(labels)).length === 1);
  const ended = {
    status: 'resolved',
    labels,
    startsAt,
    endsAt: minutes(0),
    fingerprint: fingerprintOf(labels),
  };
  const body = { status: 'resolved', groupLabels: {}, commonLabels: labels, alerts: [ended] };
  expect((await sendEvent(stack.url, webhook.path, body)).status).toBe(202);
  await until('it is resolved', async () => (await alertsOf(labels))[0]?.status === 'resolved');
});

test('valid alerts are stored in addition to invalid ones, which are recorded, and once however often a list is delivered', async () => {
  const own = await makeWebhook(client, { template: 'alertmanager' });
  const valid = Array.from({ length: 1_200 }, (_, number) =>
    alert({ alertname: 'Many', number: `${number}` }),
  );
  const asked = {
    path: own.path + V2,
    headers: { ...JSON_TYPE, 'idempotency-key': 'list' },
    body: [...valid, alert({})],
  };
  for (let time = 0; time < 2; time++) expect((await ask(stack, asked)).status).toBe(400);
  await untilStored();
  await until('none are pending', async () => isDeepStrictEqual(await pendingOf(own), [0, 0]));
  const theirs = { webhook_id: toUuidBinary(own.id), state: 'normalized' };
  expect(await stack.database('events').where(theirs).pluck('id')).toHaveLength(1_200);
  const { body: rejected } = await client.get(`/v2/events?webhookId=${own.id}&state=rejected`);
  expect(rejected.data).toMatchObject([{ state: 'rejected' }, { state: 'rejected' }]);
});

test(
  'alerts become the same, however they are divided into lists',
  async () => {
    const name = fc.oneof(fc.constantFrom('alertname', 'instance', 'severity', '__proto__'), fc.string());
    const texts = fc.dictionary(name, fc.oneof(fc.string(), fc.string({ unit: 'binary' })), { maxKeys: 4 });
    const time = fc.option(fc.integer({ min: -90, max: 90 }), { nil: undefined });
    const any = fc.record(
      { labels: texts, annotations: texts, from: time, to: time },
      { requiredKeys: ['labels'] },
    );
    const sent = fc.array(any, { minLength: 1, maxLength: 30 }).map((all) =>
      // The same alert again and again, and others.
      [...all, ...all].map(({ from, to, ...more }) => ({
        ...more,
        ...(from === undefined ? {} : { startsAt: minutes(from) }),
        ...(to === undefined ? {} : { endsAt: minutes(to) }),
      })),
    );
    const known = ({ title, status, dedupKey, severity, custom, description }: Record<string, unknown>) => ({
      title,
      status,
      dedupKey,
      severity,
      custom,
      description,
    });
    await fc.assert(
      fc.asyncProperty(sent, fc.integer({ min: 1, max: 60 }), async (alerts, length) => {
        const stored = [];
        for (const each of [length, 1]) {
          const own = await makeWebhook(client, { template: 'alertmanager' });
          for (let start = 0; start < alerts.length; start += each)
            await ask(stack, {
              path: own.path + V2,
              headers: JSON_TYPE,
              body: alerts.slice(start, start + each),
            });
          await untilStored();
          const { data } = (await client.get(`/v2/alerts?webhookId=${own.id}&pageSize=100`)).body;
          stored.push(
            data
              .map(known)
              .sort((one: object, other: object) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
          );
        }
        expect(stored[0]).toEqual(stored[1]);
      }),
      { numRuns: cases(5) },
    );
  },
  enoughTime(60_000),
);

test('a list of millions that are no alerts is rejected at once', async () => {
  // The slowest list: an error object for each took a minute.
  const body = `[${'{},'.repeat(1_000_000)}{}]`;
  const startedAt = performance.now();
  JSON.parse(body);
  const parsing = performance.now() - startedAt;
  const { status, body: text } = await ask(stack, post(body));
  expect([status, text.length]).toEqual([400, 100 * 'at least one label pair required; '.length - 2]);
  expect(performance.now() - startedAt).toBeLessThan(30 * parsing);
});

test('the key is not stored, wherever it stands', async () => {
  const token = tokenOf(webhook.path);
  const labels = { alertname: 'Leak', url: `https://muster/${token}` };
  await send(alert(labels, { generatorURL: `http://prometheus/${token}` }));
  const stored = { ...labels, url: 'https://muster/***' };
  await until('it fires', async () => (await alertsOf(stored)).length === 1);
  const rejected = [alert({ ...labels, number: 1 })];
  const body = gzipSync(JSON.stringify(rejected));
  expect(
    (await ask(stack, { ...post(body), headers: { ...JSON_TYPE, 'content-encoding': 'gzip' } })).status,
  ).toBe(400);
  const bodies = async () =>
    (await stack.database('events').select('raw')).map(({ raw }) => raw.toString()).join();
  await until(
    'both are stored',
    async () => (await bodies()).split('"url":"https://muster/***"').length === 3,
  );
  expect(await bodies()).not.toContain(token);
});

test('a sender whose clock was a day ahead is heard once it is right', async () => {
  const labels = { alertname: 'Ahead' };
  const day = 24 * 60;
  await send(alert(labels, { startsAt: minutes(day), endsAt: minutes(day + 4) }));
  await until('it fires', async () => (await alertsOf(labels)).length === 1);
  await send(alert(labels, { startsAt: minutes(-2), endsAt: minutes(-1) }));
  await until('it is resolved', async () => (await alertsOf(labels))[0]?.status === 'resolved');
  await send(alert(labels, { startsAt: minutes(-0.5), endsAt: minutes(4) }));
  await until('it fires again', async () => (await alertsOf(labels)).length === 2);
});

test('a sender whose clock is ten minutes behind is reported once, and one that repeats an end is not', async () => {
  const own = await makeWebhook(client, { template: 'alertmanager' });
  const startsAt = minutes(-30);
  const behind = (moved: number) => alert({ alertname: 'Behind' }, { startsAt, endsAt: minutes(-6 + moved) });
  const ended = [-9, -8].map((end) => alert({ alertname: 'Ended' }, { startsAt, endsAt: minutes(end) }));
  for (let round = 0; round < 6; round++) {
    const body = [behind(round / 60), ...ended];
    expect((await ask(stack, { path: own.path + V2, headers: JSON_TYPE, body })).status).toBe(200);
  }
  const rejected = async () => (await client.get(`/v2/events?webhookId=${own.id}&state=rejected`)).body.data;
  await until('it is reported', async () => (await rejected()).length > 0);
  expect(await rejected()).toMatchObject([{ faults: [{ code: 'sender_clock_behind' }] }]);
});

test('a list may be larger than an event, and counts once for the limit of its integration', async () => {
  const rateLimit = { eventsPerMinute: 1, overLimitStatus: 503 };
  const own = await makeWebhook(client, { template: 'alertmanager', rateLimit });
  const body = Array.from({ length: 3 }, (_, number) =>
    alert({ alertname: `${number}` }, { annotations: { text: 'x'.repeat(600_000) } }),
  );
  const asked = { path: own.path + V2, headers: JSON_TYPE, body };
  expect((await ask(stack, asked)).status).toBe(200);
  const second = await ask(stack, asked);
  expect([second.status, second.body.code]).toEqual([429, 429]);
});
