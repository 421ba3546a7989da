import { globalAgent } from 'node:https';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { makeWebhook, type TestWebhook } from '../../support/api/webhooks.js';
import { tokenOf } from '../../support/dialects/conformance.js';
import { startVendorHosts } from '../../support/dialects/vendor-hosts.js';
import type { Receiver } from '../../support/outbound/receiver.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

/* The clients of PagerDuty and Opsgenie themselves, which have no types. Programs of Debian: test/engines/drop-in-clients.test.ts. */

const require = createRequire(import.meta.url);

let stack: Stack;
let client: Client;
let tls: Receiver;
const ownCa = globalAgent.options.ca;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  tls = await startVendorHosts(stack);
  globalAgent.options.ca = tls.network.ca;
});
afterAll(async () => {
  globalAgent.options.ca = ownCa;
  globalAgent.destroy();
  await tls.stop();
  await stack.stop();
});

const alertsOf = async ({ id }: TestWebhook) => (await client.get(`/v2/alerts?webhookId=${id}`)).body.data;

test('@pagerduty/pdjs triggers, acknowledges and resolves, and sends a change', async () => {
  const { trigger, acknowledge, resolve, change } = require('@pagerduty/pdjs');
  const webhook = await makeWebhook(client, { template: 'pagerduty-events' });
  const routing_key = tokenOf(webhook.path);
  const server = `127.0.0.1:${tls.network.port}`;
  const payload = { summary: 'Disk full', source: 'db-1', severity: 'error' };
  const triggered = await trigger({ server, data: { routing_key, payload } });
  expect([triggered.status, triggered.data.status]).toEqual([202, 'success']);
  const { dedup_key } = triggered.data;
  for (const act of [acknowledge, resolve])
    expect((await act({ server, data: { routing_key, dedup_key } })).data.dedup_key).toBe(dedup_key);
  expect((await change({ server, data: { routing_key, payload } })).data.message).toBe(
    'Change event processed',
  );
  const unknown = await trigger({ server, data: { routing_key: 'x'.repeat(32), payload } });
  expect([unknown.status, unknown.data.errors]).toEqual([400, ['Invalid routing key']]);
  await until('it is resolved', async () => (await alertsOf(webhook))[0]?.status === 'resolved');
  expect(await alertsOf(webhook)).toMatchObject([{ title: 'Disk full', dedupKey: dedup_key, eventCount: 3 }]);
});

test('opsgenie-sdk creates, reads, acknowledges, notes and closes', async () => {
  const opsgenie = require('opsgenie-sdk');
  const webhook = await makeWebhook(client, { template: 'opsgenie-api' });
  opsgenie.configure({ api_key: tokenOf(webhook.path), host: stack.url });
  const call = (
    name: string,
    ...args: unknown[]
  ): Promise<{ result: string; requestId: string; data: object }> =>
    new Promise((resolve, reject) => {
      opsgenie.alertV2[name](...args, (error: object | null, response: never) =>
        error ? reject(Object.assign(new Error(name), error)) : resolve(response),
      );
    });
  const identifier = { identifier: 'disk', identifierType: 'alias' };
  const created = await call('create', {
    message: 'Disk full',
    alias: 'disk',
    priority: 'P1',
    details: { n: 1 },
  });
  expect(created.result).toBe('Request will be processed');
  const { data } = await call('getRequestStatus', created.requestId);
  expect(data).toMatchObject({ isSuccess: true, status: 'Created alert', alias: 'disk' });
  await call('acknowledge', identifier, { note: 'Looking' });
  const noted = await call('addNote', identifier, { note: 'Cleaning up' });
  await call('getRequestStatus', noted.requestId);
  expect((await call('get', identifier)).data).toMatchObject({
    acknowledged: true,
    status: 'open',
    count: 3,
  });
  await call('close', identifier, {});
  await until('it is closed', async () => (await alertsOf(webhook))[0]?.status === 'resolved');
  expect(await alertsOf(webhook)).toMatchObject([
    { title: 'Disk full', severity: 'critical', eventCount: 4 },
  ]);
});
