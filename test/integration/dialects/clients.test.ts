import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { globalAgent } from 'node:https';
import { createRequire } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { makeWebhook, type TestWebhook } from '../../support/api/webhooks.js';
import { ask, tokenOf } from '../../support/dialects/conformance.js';
import { runZabbixScript, withoutZabbix, zabbixScript } from '../../support/dialects/zabbix-script.js';
import { type Receiver, startReceiver } from '../../support/outbound/receiver.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { testUnless } from '../../support/test-unless.js';
import { until } from '../../support/until.js';

/* The clients of PagerDuty and Opsgenie themselves, which have no types, and Apprise and the script of Zabbix, as Debian packages them. */

const APPRISE = '/usr/bin/apprise';
const withoutApprise = existsSync(APPRISE) ? null : 'the package apprise is not installed';

const require = createRequire(import.meta.url);

let stack: Stack;
let client: Client;
let tls: Receiver;
const ownCa = globalAgent.options.ca;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  tls = await startReceiver(['events.pagerduty.com', 'api.opsgenie.com']);
  globalAgent.options.ca = tls.network.ca;
  tls.respond(async ({ method = '', url: path = '', headers }, response) => {
    const { 'content-type': type, authorization = '' } = headers;
    const kept = { 'content-type': String(type), authorization };
    const received = await ask(stack, { method, path, headers: kept, body: tls.requests.at(-1)?.body });
    response.writeHead(received.status, { 'content-type': String(received.headers['content-type']) });
    response.end(received.text);
  });
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

testUnless(withoutApprise)('Apprise, whose hosts are fixed, reaches Muster under their names', async () => {
  const webhooks = {
    pagerduty: await makeWebhook(client, { template: 'pagerduty-events' }),
    opsgenie: await makeWebhook(client, { template: 'opsgenie-api' }),
  };
  // A proxy in place of DNS: whatever the name is, it leads to Muster.
  const proxy = createServer().on('connect', (_, socket, head) => {
    const muster = connect(tls.network.port ?? 0, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      muster.write(head);
      muster.pipe(socket).pipe(muster);
    });
    muster.on('error', () => socket.destroy());
    socket.on('error', () => muster.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const folder = mkdtempSync(join(tmpdir(), 'muster-apprise-'));
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, String(tls.network.ca));
  const env = {
    https_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    REQUESTS_CA_BUNDLE: ca,
  };
  const notify = (url: string): Promise<number> =>
    new Promise((resolve) =>
      execFile(APPRISE, ['-n', 'failure', '-t', 'Backup', '-b', 'Backup failed', url], { env }, (error) =>
        resolve(Number(error?.code ?? 0)),
      ),
    );
  const urls = [
    `pagerduty://${tokenOf(webhooks.pagerduty.path)}@any-key/db-1`,
    `opsgenie://${tokenOf(webhooks.opsgenie.path)}`,
  ];
  try {
    const sent = [...urls, `pagerduty://${'x'.repeat(32)}@any-key`, `opsgenie://${'x'.repeat(32)}`];
    expect(await Promise.all(sent.map(notify))).toEqual([0, 0, 1, 1]);
    for (const webhook of Object.values(webhooks))
      await until('it fires', async () => (await alertsOf(webhook))[0]?.status === 'firing');
    expect(await alertsOf(webhooks.pagerduty)).toMatchObject([{ severity: 'critical' }]);
    expect(await alertsOf(webhooks.opsgenie)).toMatchObject([{ description: 'Backup failed' }]);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

testUnless(withoutZabbix)(
  'the script of Zabbix creates, updates and closes, and fails while Muster is away',
  async () => {
    const webhook = await makeWebhook(client, { template: 'opsgenie-api' });
    const script = zabbixScript('Opsgenie');
    const run = (more: Record<string, string>) =>
      runZabbixScript(script, {
        alert_subject: 'Problem: Disk full',
        alert_message: 'Disk of db-1 is full',
        event_id: '4711',
        event_nseverity: '4',
        event_source: '0',
        event_tags_json: '[{"tag":"scope","value":"capacity"}]',
        event_update_action: '',
        event_update_status: '0',
        event_value: '1',
        opsgenie_api: `${stack.url}${webhook.path}/v2/alerts`,
        opsgenie_tags: '',
        opsgenie_teams: 'Storage',
        opsgenie_token: 'any',
        opsgenie_web: 'https://muster.example.com',
        severity_high: 'P2',
        trigger_id: '12',
        zbxurl: 'https://zabbix.example.com',
        zbxuser: 'ada',
        ...more,
      });
    const away = await run({ opsgenie_api: 'http://127.0.0.1:1/v2/alerts' });
    expect(away).toEqual({ failed: true, text: 'Sending failed: cannot get URL' });
    // It asks 25 times without a pause whether its request was processed.
    const created = await run({});
    const [alert] = await alertsOf(webhook);
    expect(JSON.parse(created.text).tags.__zbx_ops_issuekey).toBe(alert.id);
    expect((await run({ event_update_status: '1', event_update_action: 'acknowledged' })).failed).toBe(false);
    expect((await run({ event_update_status: '1', event_update_action: 'commented' })).failed).toBe(false);
    expect((await run({ event_value: '0' })).failed).toBe(false);
    expect(await alertsOf(webhook)).toMatchObject([
      { title: 'Problem: Disk full', dedupKey: '4711', status: 'resolved', eventCount: 4 },
    ]);
    // It is over already: the script stops asking, and reports that.
    expect((await run({ event_value: '0' })).text).toContain('There is no open alert');
  },
);
