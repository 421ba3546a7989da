import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../scripts/processes/free-port.js';
import { Client } from '../support/api/client.js';
import { makeWebhook, type TestWebhook } from '../support/api/webhooks.js';
import { ask } from '../support/dialects/conformance.js';
import { describeEngine, unpackedEngine } from '../support/engines/describe-engine.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

/* Prometheus' Alertmanager itself, as Debian packages it, which sends to PagerDuty and Opsgenie. */

const unpacked = unpackedEngine('alertmanager');
const BINARY = join(unpacked ?? '', 'usr/bin/prometheus-alertmanager');
const reason = unpacked ? null : 'the package prometheus-alertmanager could not be unpacked';

let stack: Stack;
let client: Client;
let webhooks: Record<'pagerduty' | 'opsgenie', TestWebhook>;
let alertmanager: ChildProcess;
let port: number;
/** Whether Muster responds to nobody. */
let isAway = false;
let refused = 0;
const folder = mkdtempSync(join(tmpdir(), 'muster-alertmanager-'));
const door = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  if (isAway) {
    refused += 1;
    request.socket.destroy();
    return;
  }
  const { method = '', url: path = '', headers } = request;
  const { authorization = '' } = headers;
  const received = await ask(stack, { method, path, body, headers: { authorization } });
  response.writeHead(received.status, { 'content-type': 'application/json' }).end(received.text);
});

beforeAll(async () => {
  if (reason) return;
  stack = await startStack();
  client = await Client.of(stack);
  webhooks = {
    pagerduty: await makeWebhook(client, { template: 'pagerduty-events' }),
    opsgenie: await makeWebhook(client, { template: 'opsgenie-api' }),
  };
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({
      route: { receiver: 'both', group_by: ['alertname'], group_wait: '0s', group_interval: '1s' },
      receivers: [
        {
          name: 'both',
          pagerduty_configs: [
            {
              url: `${url}${webhooks.pagerduty.path}/v2/enqueue`,
              routing_key: 'any',
              description: FIRING,
              severity: '{{ .CommonLabels.severity }}',
            },
          ],
          opsgenie_configs: [
            {
              api_url: `${url}${webhooks.opsgenie.path}/`,
              api_key: 'any',
              message: FIRING,
              priority: 'P2',
              update_alerts: true,
            },
          ],
        },
      ],
    }),
  );
  port = await freePort();
  start();
});
afterAll(async () => {
  alertmanager?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  if (reason) return;
  door.closeAllConnections();
  door.close();
  await stack.stop();
});

const FIRING = '{{ len .Alerts.Firing }} firing';

function start(): void {
  const options = [
    `--config.file=${join(folder, 'config.json')}`,
    `--storage.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ];
  alertmanager = spawn(BINARY, options, { stdio: 'ignore' });
}

/** Reports alerts to the Alertmanager, as Prometheus does. */
async function report(instances: readonly string[], endsInMs: number): Promise<void> {
  const alerts = instances.map((instance) => ({
    labels: { alertname: 'DiskFills', instance, severity: 'critical' },
    annotations: { summary: 'Disk fills' },
    startsAt: new Date(Date.now() - 60_000),
    endsAt: new Date(Date.now() + endsInMs),
  }));
  const sent = () =>
    fetch(`http://127.0.0.1:${port}/api/v2/alerts`, {
      method: 'POST',
      body: JSON.stringify(alerts),
      headers: { 'content-type': 'application/json' },
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('Alertmanager has the alerts', sent);
}

const shown = async () => {
  const of = async ({ id }: TestWebhook) =>
    (await client.get(`/v2/alerts?webhookId=${id}`)).body.data.map(
      ({ title, status, severity }: Record<string, string>) => ({ title, status, severity }),
    );
  return { pagerduty: await of(webhooks.pagerduty), opsgenie: await of(webhooks.opsgenie) };
};

async function untilShown(title: string, status: string): Promise<void> {
  let last: unknown;
  const isShown = async () => {
    const now = await shown();
    last = now;
    return [now.pagerduty, now.opsgenie].every(
      (alerts) => alerts.length === 1 && alerts[0].title === title && alerts[0].status === status,
    );
  };
  await until(`both show ${title}, ${status}`, isShown).catch((error) => {
    throw new Error(`${error}: ${JSON.stringify(last)}`);
  });
}

const HOUR = 3_600_000;

const promise = (name: string, run: () => Promise<void>) =>
  describeEngine('Alertmanager', reason, () => test(name, run));

promise(
  'alerts fire, change, survive an absence of Muster and a restart of the sender, and resolve',
  async () => {
    await report(['db-1'], HOUR);
    await untilShown('1 firing', 'firing');
    isAway = true;
    await report(['db-2'], HOUR);
    await until('Muster was away', async () => refused > 1);
    isAway = false;
    await untilShown('2 firing', 'firing');
    alertmanager.kill('SIGTERM');
    await once(alertmanager, 'exit');
    start();
    await report(['db-1', 'db-2'], -1_000);
    await untilShown('2 firing', 'resolved');
    expect(await shown()).toMatchObject({
      pagerduty: [{ severity: 'critical' }],
      opsgenie: [{ severity: 'error' }],
    });
  },
);
