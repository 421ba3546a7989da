import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { makeWebhook, type TestWebhook } from '../../support/api/webhooks.js';
import { type Asked, ask, tokenOf } from '../../support/dialects/conformance.js';
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
    ['an unknown slug with create=0', root('db?create=0'), 404, NOT_FOUND],
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
    await ping('/log', 'Still cleaning');
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
  });
});
