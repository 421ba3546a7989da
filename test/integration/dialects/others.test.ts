import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { makeWebhook, type TestWebhook } from '../../support/api/webhooks.js';
import { type Asked, ask, tokenOf } from '../../support/dialects/conformance.js';
import { withoutRedis } from '../../support/dialects/without-redis.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
let webhook: TestWebhook;
let key: string;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  webhook = await makeWebhook(client);
  key = tokenOf(webhook.path);
});
afterAll(() => stack.stop());

const OTHER_KEY = 'x'.repeat(32);
const UUID = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';

/** Endpoint × case × response. */
type Conformance = readonly (readonly [what: string, asked: () => Asked, status: number, text: string])[];

describe('pings of Healthchecks', () => {
  const door =
    (path: string, method = 'GET', body?: string) =>
    (): Asked => ({
      ...{ method, path: `${webhook.path}/ping/${path}` },
      ...(body === undefined ? {} : { body }),
    });
  const root =
    (path: string, method = 'GET') =>
    (): Asked => ({ method, path: `/ping/${key}/${path}` });
  const NOT_FOUND = 'not found';
  const [URL, ID] = ['invalid url format', 'invalid uuid format'];

  const CONFORMANCE: Conformance = [
    ['an unknown slug', root('db'), 404, NOT_FOUND],
    ['an unknown slug with create=0', root('db?create=1&create=0'), 404, NOT_FOUND],
    ['a new slug with an exit status that is none', root('db/256?create=1'), 400, URL],
    ['a new slug with a run that is none', root('db?create=1&rid=1'), 400, ID],
    ['a new slug', root('db?create=1'), 201, 'Created'],
    ['a slug that exists', root('db?create=1'), 200, 'OK'],
    ['a start', root('db/start'), 200, 'OK'],
    ['a failure', root('db/fail'), 200, 'OK'],
    ['a log', root('db/log'), 200, 'OK'],
    ['an exit status', root('db/255'), 200, 'OK'],
    ['success', root('db/0'), 200, 'OK'],
    ['no exit status', root('db/256'), 400, URL],
    ['a negative exit status', root('db/-1'), 404, NOT_FOUND],
    ['another word', root('db/stop'), 404, NOT_FOUND],
    ['a run', root(`db/start?rid=${UUID.toUpperCase()}`), 200, 'OK'],
    ['no run', root('db/start?rid='), 400, ID],
    ['a slash at the end', root('db/'), 200, 'OK'],
    ['a slug in upper case', root('DB?create=1'), 400, URL],
    ['a slug with a dot', root('db.1?create=1'), 404, NOT_FOUND],
    ['a slug that begins with a dash, which no name of Muster does', root('-a?create=1'), 201, 'Created'],
    ['the same again', root('-a'), 200, 'OK'],
    ['a slug of 100 characters', root(`${'a'.repeat(100)}?create=1`), 201, 'Created'],
    ['the same again', root('a'.repeat(100)), 200, 'OK'],
    ['HEAD', root('db', 'HEAD'), 200, ''],
    ['PUT', root('db', 'PUT'), 200, 'OK'],
    ['DELETE', root('db', 'DELETE'), 200, 'OK'],
    ['OPTIONS', root('db', 'OPTIONS'), 200, 'OK'],
    ['PROPFIND', root('db', 'PROPFIND'), 200, 'OK'],
    ['a body of any size', door('any/db', 'POST', 'x'.repeat(2_000_000)), 200, 'OK'],
    ['any key below a webhook URL', door('any/db'), 200, 'OK'],
    ['an empty key', door('/db'), 404, NOT_FOUND],
    ['a UUID', door(UUID), 200, 'OK'],
    ['a UUID that exists, with a slash', door(`${UUID}/`), 200, 'OK'],
    ['a UUID that starts', door(`${UUID}/start`, 'POST', '{'), 200, 'OK'],
    ['a UUID with an exit status', door(`${UUID}/0`), 200, 'OK'],
    ['a UUID and no exit status', door(`${UUID}/1000`), 400, URL],
    ['a UUID of another form', door(UUID.replaceAll('-', '')), 404, NOT_FOUND],
    ['an unknown UUID at the root', () => ({ method: 'GET', path: `/ping/${UUID}` }), 404, NOT_FOUND],
    ['nothing', () => ({ method: 'GET', path: '/ping/' }), 404, NOT_FOUND],
    ['an unknown key', () => ({ method: 'GET', path: `/ping/${OTHER_KEY}/db?create=1` }), 404, NOT_FOUND],
  ];

  test.each(CONFORMANCE)('%s', async (_, asked, status, text) => {
    const received = await ask(stack, asked());
    expect([received.status, received.text]).toEqual([status, text]);
    if (status < 300)
      expect(received.headers).toMatchObject({
        'ping-body-limit': '65536',
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
      });
  });

  test('a heartbeat is created once, without a schedule, and a log says nothing about its state', async () => {
    const resource = `/v2/webhooks/${webhook.id}/heartbeats`;
    const ping = async (path: string, body = '') => {
      const received = await ask(stack, { path: `${webhook.path}/ping/any/job${path}`, body });
      expect(received.status).toBeLessThan(300);
    };
    await ping('?create=1');
    await ping('/7', 'No space left');
    const shown = async () => (await client.get(`${resource}/job`)).body.data;
    await ping('/log', `curl https://muster.example.com/ping/${key}/job`);
    await until('failing', async () => (await shown()).state === 'failing');
    expect(await shown()).toMatchObject({ lastExitStatus: 7, schedule: null });
    const alerts = async () => (await client.get('/v2/alerts?dedupKey=muster:heartbeat:job')).body.data;
    expect(await alerts()).toMatchObject([{ status: 'firing', description: 'No space left', eventCount: 1 }]);
    await ping('/log');
    await ping('/start');
    await ping('');
    await until('resolved', async () => (await alerts())[0].status === 'resolved');
    expect(await alerts()).toMatchObject([{ eventCount: 2 }]);
    const names = (await client.get(resource)).body.data.map(({ name }: { name: string }) => name);
    expect(names).toContain('check-3f2b8c1e-9d4a');
    expect(names.filter((name: string) => name === 'db')).toHaveLength(1);
    expect(JSON.stringify(names)).not.toContain(UUID);
    const raws = await stack.database('events').where('state', 'ping').select('raw');
    expect(raws.map(({ raw }) => String(raw)).filter((raw) => raw.includes('curl'))).toEqual([
      'curl https://muster.example.com/ping/***/job',
    ]);
  });
});

describe('Alerta', () => {
  let own: TestWebhook;
  let token: string;
  beforeAll(async () => {
    own = await makeWebhook(client, { template: 'alerta' });
    token = tokenOf(own.path);
  });

  const JSON_TYPE = { 'content-type': 'application/json' };
  const door = (method: string, path: string, body?: unknown) => (): Asked => ({
    ...{ method, path: own.path + path, headers: JSON_TYPE },
    ...(body === undefined ? {} : { body }),
  });
  const root =
    (path: string, headers: (key: string) => Record<string, string>, body: unknown = ALERT) =>
    (): Asked => ({
      ...{ path, body },
      headers: { ...JSON_TYPE, ...headers(token) },
    });
  const ALERT = { resource: 'web-1', event: 'HttpError', environment: 'Production', severity: 'major' };
  const id = expect.stringMatching(/^.{36}$/);
  const error = (code: number, message: unknown, errors: string[] | null = null) => ({
    ...{ status: 'error', code, message, errors, requestId: id },
  });
  const invalid = (message: string) => error(400, message, [message]);
  const CREATED = { status: 'ok', id, alert: expect.objectContaining({ id, ...ALERT, status: 'open' }) };
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const OK = { status: 'ok' };
  const NOBODY = '3f2b8c1e-9d4a-7e6b-8a7c-5d1e2f3a4b5c';

  const CONFORMANCE: readonly (readonly [what: string, asked: () => Asked, status: number, body: unknown])[] =
    [
      ['an alert', door('POST', '/alert', ALERT), 201, CREATED],
      ['an alert behind /api', door('POST', '/api/alert/', ALERT), 201, CREATED],
      ['the scheme Key', root('/alert', (key) => ({ authorization: `Key ${key}` })), 201, CREATED],
      ['the header X-API-Key', root('/api/alert', (key) => ({ 'x-api-key': key })), 201, CREATED],
      ['a bearer token', root('/alert', (key) => ({ authorization: `Bearer ${key}` })), 201, CREATED],
      ['Basic', root('/alert', (key) => ({ authorization: basic(`me@example.com:${key}`) })), 201, CREATED],
      [
        'the parameter api-key',
        () => ({ path: `/alert?api-key=${token}`, headers: JSON_TYPE, body: ALERT }),
        201,
        CREATED,
      ],
      [
        'no key',
        root('/alert', () => ({})),
        401,
        error(401, 'Missing authorization API Key or Bearer Token'),
      ],
      [
        'an unknown key',
        root('/alert', () => ({ authorization: `Key ${OTHER_KEY}` })),
        401,
        error(401, 'API key parameter is invalid'),
      ],
      [
        'nothing but what is required',
        door('POST', '/alert', { resource: 'r', event: 'e' }),
        201,
        {
          ...{ status: 'ok', id },
          alert: expect.objectContaining({
            ...{
              environment: '',
              severity: 'normal',
              status: 'closed',
              group: 'Misc',
              text: '',
              timeout: 86_400,
            },
            ...{
              service: [],
              tags: [],
              attributes: {},
              correlate: [],
              type: 'exceptionAlert',
              duplicateCount: 0,
            },
          }),
        },
      ],
      [
        'numbers, and a severity that ends it',
        door('POST', '/alert', { ...ALERT, value: 5, severity: 'cleared', correlate: ['HttpOk'] }),
        201,
        {
          ...{ status: 'ok', id },
          alert: expect.objectContaining({
            ...{ value: '5', severity: 'normal', status: 'closed', correlate: ['HttpOk', 'HttpError'] },
            trendIndication: 'lessSevere',
          }),
        },
      ],
      [
        'a severity in upper case that ends it',
        door('POST', '/alert', { ...ALERT, severity: 'OK' }),
        201,
        { ...{ status: 'ok', id }, alert: expect.objectContaining({ severity: 'normal', status: 'closed' }) },
      ],
      [
        'a severity of its own',
        door('POST', '/alert', { ...ALERT, severity: 'fatal' }),
        201,
        expect.anything(),
      ],
      [
        'no resource',
        door('POST', '/alert', { event: 'e' }),
        400,
        invalid('Missing mandatory value for "resource"'),
      ],
      [
        'no event',
        door('POST', '/alert', { ...ALERT, event: '' }),
        400,
        invalid('Missing mandatory value for "event"'),
      ],
      [
        'a list as the event',
        door('POST', '/alert', { ...ALERT, event: ['e'] }),
        400,
        invalid('event must be a string'),
      ],
      [
        'a service',
        door('POST', '/alert', { ...ALERT, service: 's' }),
        400,
        invalid('service must be a list'),
      ],
      ['no tags', door('POST', '/alert', { ...ALERT, tags: null }), 400, invalid('tags must be a list')],
      [
        'attributes with a dot',
        door('POST', '/alert', { ...ALERT, attributes: { 'a.b': 1 } }),
        400,
        invalid('Attribute keys must not contain "." or "$"'),
      ],
      [
        'a list of attributes',
        door('POST', '/alert', { ...ALERT, attributes: [] }),
        400,
        invalid('attributes must be a JSON object'),
      ],
      [
        'a timeout',
        door('POST', '/alert', { ...ALERT, timeout: '60' }),
        400,
        invalid('timeout must be an integer'),
      ],
      [
        'a negative timeout',
        door('POST', '/alert', { ...ALERT, timeout: -1 }),
        400,
        invalid("Invalid negative 'timeout' value (-1)"),
      ],
      [
        'a time without fractions',
        door('POST', '/alert', { ...ALERT, createTime: '2026-02-03T10:20:00Z' }),
        400,
        invalid('dates must be ISO 8601 date format YYYY-MM-DDThh:mm:ss.sssZ'),
      ],
      ['no JSON', door('POST', '/alert', '{'), 400, error(400, expect.stringContaining('JSON'))],
      [
        'another type',
        () => ({ path: `${own.path}/alert`, headers: { 'content-type': 'text/plain' }, body: ALERT }),
        415,
        error(415, "POST and PUT requests must set 'Content-type' to 'application/json'"),
      ],
      ['another method', door('PUT', '/alert', ALERT), 405, error(405, "Request method 'PUT' not supported")],
      ['another path', door('GET', '/api/alerts/top10/count'), 404, error(404, 'This path does not exist.')],
      ['blackouts', door('POST', '/blackout', {}), 404, error(404, 'This path does not exist.')],
      ['users at the root', root('/api/users', () => ({})), 404, error(404, 'This path does not exist.')],
      ['an unknown alert', door('GET', '/alert/none'), 404, error(404, 'not found')],
      [
        'an operation on an unknown alert',
        door('PUT', `/alert/${NOBODY}/status`, { status: 'ack' }),
        404,
        error(404, 'not found'),
      ],
      ['no status', door('PUT', '/alert/none/status', {}), 400, invalid("must supply 'status' as json data")],
      ['no action', door('PUT', '/alert/none/action', {}), 400, invalid("must supply 'action' as json data")],
      ['no tag', door('PUT', '/alert/none/tag', {}), 400, invalid("must supply 'tags' as json list")],
      ['no note', door('PUT', '/alert/none/note', {}), 400, invalid("must supply 'note' text")],
      [
        'a filter that Muster lacks',
        door('GET', '/alerts?q=x'),
        400,
        invalid('only `environment`, `service` and `status` open or closed are supported'),
      ],
      ['a webhook of a product', door('POST', '/webhooks/prometheus', { alerts: [] }), 201, { ...OK, id }],
      [
        'a heartbeat',
        door('POST', '/heartbeat', { origin: 'cron/web-1', tags: ['a'], timeout: 120 }),
        201,
        {
          ...OK,
          id,
          heartbeat: expect.objectContaining({
            origin: 'cron/web-1',
            tags: ['a'],
            timeout: 120,
            status: 'ok',
          }),
        },
      ],
      [
        'an alert that is a heartbeat',
        door('POST', '/alert', { ...ALERT, event: 'Heartbeat', origin: 'cron/web-1' }),
        202,
        { ...OK, id, message: 'Alert converted to Heartbeat' },
      ],
      ['two slashes', door('POST', '//alert', ALERT), 201, CREATED],
      ['a heartbeat of nothing', door('POST', '/api/heartbeat', {}), 201, expect.objectContaining(OK)],
      [
        'a heartbeat with a tag',
        door('POST', '/heartbeat', { tags: 'a' }),
        400,
        invalid('tags must be a list'),
      ],
      ['an unknown heartbeat', door('GET', '/api/heartbeat/none'), 404, error(404, 'not found')],
      ['a good day', door('GET', '/management/gtg'), 200, null],
    ];

  test.each(CONFORMANCE)('%s', async (_, asked, status, body) => {
    const received = await ask(stack, asked());
    expect(received.body).toEqual(body);
    expect(received.status).toBe(status);
  });

  const send = async (method: string, path: string, body?: unknown) => {
    const { status, body: reply } = await ask(stack, door(method, path, body)());
    expect(status).toBeLessThan(300);
    return reply;
  };

  test('correlated events are one alert, which is found by the id of each, changed and listed', async () => {
    const node = { resource: 'a/b', environment: 'Development', correlate: ['up', 'down'], service: ['Net'] };
    const { id: first } = await send('POST', '/alert', {
      ...node,
      event: 'down',
      severity: 'critical',
      text: 'Down',
    });
    await send('PUT', `/alert/${first}/status`, { status: 'ack', text: 'Looking' });
    const shown = async (of: string) => (await send('GET', `/api/alert/${of}`)).alert;
    await until('acknowledged', async () => (await shown(first)).status === 'ack');
    await send('POST', '/alert', {
      ...node,
      correlate: ['down', 'up'],
      event: 'down',
      severity: 'minor',
      text: 'Slow',
    });
    const { id: last } = await send('POST', '/alert', { ...node, event: 'up', severity: 'OK', text: 'Up' });
    await until('closed', async () => (await shown(last)).status === 'closed');
    expect(await shown(first)).toMatchObject({
      ...{
        id: (await shown(last)).id,
        resource: 'a/b',
        event: 'down',
        severity: 'normal',
        duplicateCount: 3,
      },
      ...{ environment: 'Development', service: ['Net'], text: 'Slow' },
    });
    const closed = await send('GET', '/alerts?environment=Development&status=closed&page-size=5');
    expect(closed).toMatchObject({ total: 1, pages: 1, more: false, statusCounts: { open: 0, closed: 1 } });
    expect((await send('GET', '/alerts/count?environment=Development')).severityCounts.critical).toBe(0);
    const { data } = (await client.get(`/v2/alerts?webhookId=${own.id}&environment=Development`)).body;
    expect(data).toMatchObject([{ status: 'resolved', dedupKey: 'Development/a~1b/down,up', eventCount: 4 }]);
  });

  test('a note is noted, a deleted alert is resolved, and one with a timeout expires', async () => {
    const { id: sent } = await send('POST', '/alert', { ...ALERT, resource: 'gone', timeout: 3_600 });
    const { note } = await send('PUT', `/alert/${sent}/note`, { text: 'Looking' });
    expect(note).toMatchObject({ text: 'Looking', related: { alert: sent } });
    await send('DELETE', `/alert/${sent}`);
    const alert = async () =>
      (await client.get('/v2/alerts?dedupKey=Production/gone/HttpError')).body.data[0];
    await until('resolved', async () => (await alert())?.status === 'resolved');
    expect((await alert()).custom.note).toBe('Looking');
    const events = JSON.stringify((await client.get(`/v2/alerts/${(await alert()).id}/events`)).body);
    expect(events).not.toContain(token);
  });

  test('a heartbeat that states its timeout is expected within it, and shows as Alerta shows it', async () => {
    const { heartbeats } = await send('GET', '/api/heartbeats');
    expect(heartbeats).toContainEqual(
      expect.objectContaining({ status: 'ok', timeout: 120, type: 'Heartbeat' }),
    );
    const all = (await client.get(`/v2/webhooks/${own.id}/heartbeats`)).body.data;
    expect(all).toMatchObject([
      {
        name: expect.stringMatching(/^cron-web-1-/),
        description: 'cron/web-1',
        schedule: { periodSeconds: 120 },
        graceSeconds: 0,
      },
      { name: 'muster', schedule: null },
    ]);
    const one = `/api/heartbeat/${heartbeats[0].id}`;
    expect((await send('GET', one)).heartbeat.id).toBe(heartbeats[0].id);
  });

  test('who has only the URL of an integration with signatures neither sends to it nor reads from it', async () => {
    const { path: signed } = await makeWebhook(client, {
      signature: { scheme: 'github', secret: 'k'.repeat(32) },
    });
    for (const path of [
      '/alerts',
      '/alerts/count',
      '/alert/x',
      '/api/heartbeats',
      '/v2/alerts',
      '/v2/alerts/count',
    ])
      expect([path, (await ask(stack, { method: 'GET', path: signed + path })).status]).toEqual([path, 401]);
    for (const path of ['/alert', '/webhooks/x', '/v2/alerts', '/integrations/v1/a/b'])
      expect([
        path,
        (await ask(stack, { path: signed + path, body: { ...ALERT, message: 'm' } })).status,
      ]).toEqual([...[path, 401]]);
    const alive = { method: 'GET', path: `${signed}/management/gtg` };
    expect((await ask(stack, alive)).status).toBe(200);
  });

  test("Muster's own heartbeats below a webhook URL and the pages of the console stay what they are", async () => {
    const { status } = await ask(stack, { path: `${own.path}/heartbeat/muster`, method: 'GET' });
    expect(status).toBe(202);
    expect((await ask(stack, { path: '/alerts', method: 'GET' })).text).not.toContain('"requestId"');
    const keyed = { path: '/alerts', method: 'GET', headers: { authorization: `Key ${token}` } };
    expect((await ask(stack, keyed)).body).toMatchObject(OK);
  });
});

describe('Grafana OnCall', () => {
  /** Of the length that OnCall's have. */
  const TOKEN = 'k7Qd2Vw9xR4tLm8Zb3Hn6Pc1s';
  const CHECK = 'b7d1c2e4-5f60-4a81-9c3d-2e4f60718293';
  const PING_KEY = 'x_3kVq-9Tz7LwR2mBn5YcA';
  let own: TestWebhook;
  beforeAll(async () => {
    own = await makeWebhook(client, { template: 'oncall' });
    for (const token of [TOKEN, CHECK, PING_KEY]) {
      const created = await client.json('POST', `/v2/webhooks/${own.id}/imported-tokens`, {
        token,
        source: 'test',
      });
      expect(created.status).toBe(201);
    }
  });

  const BODY = { alert_uid: 'u1', title: 'Disk full', state: 'alerting', message: 'm' };
  const at =
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    (): Asked => ({
      path: `/integrations/v1/${path}`,
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const get =
    (path: string, method = 'GET') =>
    (): Asked => ({ ...at(path)(), method });
  const PART = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\nx\r\n--b--\r\n';
  const DENIED = 'Integration key was not found. Permission denied.';

  const CONFORMANCE: Conformance = [
    ['an alert', at(`formatted_webhook/${TOKEN}/`, BODY), 200, '"Ok."'],
    ['an alert without the slash', at(`formatted_webhook/${TOKEN}`, BODY), 200, '"Ok."'],
    ['an alert of another type', at(`alertmanager/${TOKEN}/`, { alerts: [] }), 200, '"Ok."'],
    ['a list', at(`webhook/${TOKEN}/`, [1, 2]), 200, '"Ok."'],
    ['a text', at(`webhook/${TOKEN}/`, '"text"'), 200, '"Ok."'],
    ['no body', at(`webhook/${TOKEN}/`), 200, '"Ok."'],
    [
      'a form',
      at(`webhook/${TOKEN}/`, 'title=t&state=ok', { 'content-type': 'application/x-www-form-urlencoded' }),
      200,
      '"Ok."',
    ],
    [
      'the path of Grafana Cloud',
      () => ({ path: `/oncall/integrations/v1/webhook/${TOKEN}/`, body: BODY }),
      200,
      '"Ok."',
    ],
    [
      'below a webhook URL',
      () => ({ path: `${own.path}/integrations/v1/webhook/any/`, body: BODY }),
      200,
      '"Ok."',
    ],
    ['an unknown token', at(`webhook/${OTHER_KEY}/`, BODY), 403, DENIED],
    ['a token that cannot be one', at('webhook/none/', BODY), 403, DENIED],
    ['no JSON', at(`webhook/${TOKEN}/`, '{'), 400, expect.stringMatching(/^\{"detail":".*JSON/) as never],
    [
      'a file',
      at(`webhook/${TOKEN}/`, PART, { 'content-type': 'multipart/form-data; boundary=b' }),
      415,
      expect.stringMatching(/^\{"detail":/) as never,
    ],
    ['a browser', get(`webhook/${TOKEN}/`), 200, expect.stringContaining('POST') as never],
    [
      'another method',
      get(`webhook/${TOKEN}/`, 'PUT'),
      405,
      '{"detail":"Request method \'PUT\' not supported"}',
    ],
    ['another path', at('backsync/', {}), 404, '{"detail":"This path does not exist."}'],
    ['a heartbeat by GET', get(`alertmanager/${TOKEN}/heartbeat/`), 200, '":)"'],
    ['a heartbeat by POST', at(`alertmanager/${TOKEN}/heartbeat`, 'any'), 200, ''],
    ['a heartbeat by HEAD', get(`alertmanager/${TOKEN}/heartbeat/`, 'HEAD'), 200, ''],
    ['a heartbeat of nobody', get('alertmanager/none/heartbeat/'), 403, DENIED],
    [
      'an imported UUID as a check of Healthchecks',
      () => ({ method: 'GET', path: `/ping/${CHECK}/start` }),
      200,
      'OK',
    ],
    [
      'an imported key as one of Healthchecks',
      () => ({ method: 'GET', path: `/ping/${PING_KEY}/job?create=1` }),
      201,
      'Created',
    ],
    [
      'an imported key at Alerta',
      () => ({ path: '/alert', headers: { authorization: `Key ${PING_KEY}` }, body: {} }),
      400,
      expect.stringContaining('Missing mandatory value') as never,
    ],
  ];

  test.each(CONFORMANCE)('%s', async (_, asked, status, text) => {
    const received = await ask(stack, asked());
    expect({ text: received.text, status: received.status }).toEqual({ text, status });
    expect(received.headers.location).toBeUndefined();
  });

  test('the events are alerts of the template, and no token is shown', async () => {
    await ask(stack, at(`formatted_webhook/${TOKEN}/`, { ...BODY, state: 'ok', message: 'Cleaned' })());
    const alert = async () => (await client.get(`/v2/alerts?webhookId=${own.id}&dedupKey=u1`)).body.data[0];
    await until('resolved', async () => (await alert())?.status === 'resolved');
    expect(await alert()).toMatchObject({ title: 'Disk full', resolution: 'Cleaned' });
    const heartbeats = (await client.get(`/v2/webhooks/${own.id}/heartbeats`)).body.data;
    expect(heartbeats.map(({ name }: { name: string }) => name)).toEqual([
      ...['check-b7d1c2e4-5f60', 'job', 'oncall-alertmanager'],
    ]);
    const { data } = (await client.get(`/v2/events?webhookId=${own.id}`)).body;
    for (const secret of [TOKEN, CHECK, PING_KEY]) expect(JSON.stringify(data)).not.toContain(secret);
  });
});

const ERROR = { status: 'error', errors: null, requestId: expect.stringMatching(/^.{36}$/) };

describe.each([
  ['Healthchecks', '/ping/any/limited?create=1', 503, () => null],
  ['Alerta', '/alert', 429, (message: unknown, code: number) => ({ ...ERROR, code, message })],
  ['Grafana OnCall', '/integrations/v1/webhook/any/', 429, (detail: unknown) => ({ detail })],
] as const)('%s responds in its own way', (_, path, limited, shape) => {
  const body = { resource: 'r', event: 'e' };

  test('while the queue is unavailable', async () => {
    await ask(stack, { path: webhook.path + path, body });
    const received = await withoutRedis(stack, () => ask(stack, { path: webhook.path + path, body }));
    expect([received.status, received.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(received.text).toContain('Try again');
    expect(received.body).toEqual(shape(expect.any(String), 503));
  });

  test('over the limit of the integration', async () => {
    const own = await makeWebhook(client, { rateLimit: { eventsPerMinute: 1, overLimitStatus: 503 } });
    const accepted = await ask(stack, { path: own.path + path, body });
    const received = await ask(stack, { path: own.path + path.replace('limited', 'other'), body });
    for (const { headers } of [accepted, received])
      expect([headers['ratelimit-policy'], headers.ratelimit]).toEqual([
        '"events";q=1;w=60',
        expect.stringMatching(/^"events";r=0;t=\d+$/),
      ]);
    const message = 'This integration accepts at most 1 event per minute.';
    expect([received.status, received.headers['retry-after']]).toEqual([limited, expect.any(String)]);
    expect(received.text).toContain(message);
    if (limited === 429 && received.body) expect(received.body).toEqual(shape(message, limited));
    const heartbeats = (await client.get(`/v2/webhooks/${own.id}/heartbeats`)).body.data;
    expect(heartbeats.length).toBeLessThan(2);
  });
});
