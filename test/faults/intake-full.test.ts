import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { Fault } from '../support/faults/fault.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { rssMb } from '../support/servers/process-usage.js';
import { until } from '../support/until.js';

let fleet: Fleet;
/** The response to headers that arrive too slowly, which takes 10 s. They arrive while the other test runs. */
let responseToSlowHeaders: Promise<string>;
beforeAll(async () => {
  fleet = await startFleet({ workers: 0, maxMemoryMb: 12 });
  responseToSlowHeaders = sendSlowHeaders(fleet.apis[0]?.port ?? 0);
}, 60_000);
afterAll(() => fleet.stop());

function sendSlowHeaders(port: number): Promise<string> {
  return new Promise((resolve) => {
    let response = '';
    const socket = connect(port, '127.0.0.1', () => socket.write('POST /api/v1/webhook/x HTTP/1.1\r\n'));
    const drip = setInterval(() => socket.write('x: y\r\n'), 500);
    socket.setEncoding('utf8').on('data', (part) => {
      response += part;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(drip);
      resolve(response);
    });
  });
}

test('an integration that fills its share of Redis gets 503, others do not, and acknowledged events are stored', async () => {
  const [api] = fleet.apis;
  if (!api) throw new Error('no API');
  const { path } = await makeWebhook(api.client);
  const ledger = new LedgerClient();
  ledger.start(() => api.url + path, 64);
  const rejected = () => ledger.outcomes.filter(({ status }) => status === 503).length;
  await until('its share of Redis is full', () => rejected() > 500, 40_000);
  await ledger.stop();
  const fault = new Fault('one integration fills its share of Redis', 'events');
  fault.provoked();
  expect(ledger.outcomes.filter(({ status }) => status !== 202 && status !== 503)).toEqual([]);
  expect(rssMb(api.child.pid)).toBeLessThan(200);
  const other = await makeWebhook(api.client);
  expect((await ledger.sendOne(api.url + other.path)).status).toBe(202);
  fleet.startWorker();
  await ledger.settle(fleet.database, { fault });
  expect((await ledger.sendOne(api.url + path)).status).toBe(202);
}, 90_000);

test('headers that arrive too slowly get 408', async () => {
  const text = await responseToSlowHeaders;
  expect(text).toMatch(/^HTTP\/1.1 408 /);
  expect(JSON.parse(text.split('\r\n\r\n')[1] as string)).toMatchObject({ code: 'request_timeout' });
}, 60_000);
