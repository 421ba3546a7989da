import { type ChildProcess, execFile, spawn } from 'node:child_process';
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

/* Prometheus itself, amtool and vmalert, as Debian packages them, which send to Muster in place of an Alertmanager. */

const roots = { prometheus: unpackedEngine('prometheus'), alertmanager: unpackedEngine('alertmanager') };
const PROMETHEUS = join(roots.prometheus ?? '', 'usr/bin/prometheus');
const AMTOOL = join(roots.alertmanager ?? '', 'usr/bin/amtool');
const reason =
  roots.prometheus && roots.alertmanager ? null : 'Prometheus and Alertmanager could not be unpacked';
const unpackedVmalert = unpackedEngine('vmalert');
const VMALERT = join(unpackedVmalert ?? '', 'usr/bin/vmalert');
const withoutVmalert = reason ?? (unpackedVmalert ? null : 'VictoriaMetrics could not be unpacked');

let stack: Stack;
let client: Client;
let webhook: TestWebhook;
let prometheus: ChildProcess;
let port: number;
/** What Prometheus measures: it alerts above 0. */
let broken = 0;
const folder = mkdtempSync(join(tmpdir(), 'muster-prometheus-'));
const target = createServer((_, response) => void response.end(`broken{disk="a"} ${broken}\n`));

beforeAll(async () => {
  if (reason) return;
  stack = await startStack();
  client = await Client.of(stack);
  webhook = await makeWebhook(client, { template: 'alertmanager' });
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const at = (port: number) => [{ targets: [`127.0.0.1:${port}`] }];
  const rule = {
    alert: 'DiskBroken',
    expr: 'broken > 0',
    labels: { severity: 'critical' },
    annotations: { summary: 'Disk {{ $labels.disk }} is broken' },
  };
  const write = (name: string, content: object) => writeFileSync(join(folder, name), JSON.stringify(content));
  write('rules.json', { groups: [{ name: 'disks', rules: [rule] }] });
  write('config.json', {
    global: { scrape_interval: '200ms', scrape_timeout: '200ms', evaluation_interval: '200ms' },
    rule_files: [join(folder, 'rules.json')],
    scrape_configs: [{ job_name: 'disks', static_configs: at((target.address() as AddressInfo).port) }],
    alerting: { alertmanagers: [{ path_prefix: webhook.path, static_configs: at(stack.port) }] },
  });
  port = await freePort();
  start();
});
afterAll(async () => {
  prometheus?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
  if (reason) return;
  target.closeAllConnections();
  target.close();
  await stack.stop();
});

function start(): void {
  const options = [
    `--config.file=${join(folder, 'config.json')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    // An alert lives four times as long without a repetition: longer than a restart takes.
    '--rules.alert.resend-delay=2s',
  ];
  prometheus = spawn(PROMETHEUS, options, { stdio: 'ignore' });
}

const alerts = async ({ id } = webhook) => (await client.get(`/v2/alerts?webhookId=${id}`)).body.data;

async function repeated(): Promise<number> {
  const text = (await stack.worker?.metrics.scrape()) ?? '';
  return Number(/^muster_events_repeated_total (\d+)$/m.exec(text)?.[1]);
}

const untilRepeated = async (): Promise<void> => {
  const before = await repeated();
  await until('it is repeated', async () => (await repeated()) > before);
};

const promise = (name: string, run: () => Promise<void>) =>
  describeEngine('Prometheus', reason, () => test(name, run));

promise(
  'an alert of Prometheus fires, is repeated, survives a restart of Prometheus, and resolves',
  async () => {
    broken = 1;
    await until('it fires', async () => (await alerts())[0]?.status === 'firing', 20_000);
    await untilRepeated();
    expect(await alerts()).toMatchObject([
      {
        title: expect.stringMatching(/^DiskBroken \(a, 127\.0\.0\.1:\d+\)$/),
        severity: 'critical',
        description: 'Disk a is broken',
        service: 'disks',
        eventCount: 1,
      },
    ]);
    prometheus.kill('SIGKILL');
    await once(prometheus, 'exit');
    start();
    // Prometheus takes the start of the alert for a new one.
    await until('it fires again', async () => (await alerts())[0]?.eventCount === 2, 20_000);
    await untilRepeated();
    broken = 0;
    await until('it is resolved', async () => (await alerts())[0]?.status === 'resolved');
    await untilRepeated();
    expect(await alerts()).toMatchObject([{ resolvedBy: 'event', eventCount: 3 }]);
  },
);

const amtool = (...options: string[]): Promise<{ code: unknown; text: string }> =>
  new Promise((resolve) =>
    execFile(AMTOOL, [`--alertmanager.url=${stack.url}${webhook.path}`, ...options], (error, out, text) =>
      resolve({ code: error?.code ?? 0, text: out + text }),
    ),
  );

promise('amtool adds an alert, and is told that there are no silences', async () => {
  const added = await amtool('alert', 'add', 'Manual', 'instance=db-1', '--annotation=summary=By hand');
  expect(added.code).toBe(0);
  await until('it fires', async () =>
    (await alerts()).some(({ description }: { description: string }) => description === 'By hand'),
  );
  expect((await amtool('alert', 'query')).code).toBe(0);
  const silenced = await amtool('silence', 'add', 'alertname=Manual', '--comment=c', '--author=a');
  expect(silenced).toMatchObject({ code: 1, text: expect.stringContaining('Muster has no silences') });
});

describeEngine('vmalert', withoutVmalert, () =>
  test('an alert of vmalert fires, is repeated, survives an absence of Muster and a restart of vmalert, and resolves', async () => {
    const own = await makeWebhook(client, { template: 'alertmanager' });
    let isBroken = true;
    let isAway = false;
    let refused = 0;
    const metric = { __name__: 'broken', disk: 'b' };
    /** What vmalert asks, and Muster. */
    const door = createServer(async (request, response) => {
      const { method = '', url: path = '' } = request;
      const body = Buffer.concat(await request.toArray()).toString();
      if (path.startsWith('/api/v1/query')) {
        const result = isBroken ? [{ metric, value: [Date.now() / 1_000, '1'] }] : [];
        const data = { resultType: 'vector', result };
        response.writeHead(200, { 'content-type': 'application/json' });
        return response.end(JSON.stringify({ status: 'success', data }));
      }
      if (isAway) {
        refused += 1;
        return request.socket.destroy();
      }
      const headers = { 'content-type': request.headers['content-type'] ?? '' };
      const received = await ask(stack, { method, path, body, headers });
      return response.writeHead(received.status).end(received.text);
    });
    await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
    const rule = {
      alert: 'DiskBroken',
      expr: 'broken > 0',
      annotations: { summary: 'Disk {{ $labels.disk }}' },
    };
    writeFileSync(
      join(folder, 'vmalert.json'),
      JSON.stringify({ groups: [{ name: 'disks', interval: '200ms', rules: [rule] }] }),
    );
    const vmPort = await freePort();
    const begin = () =>
      spawn(
        VMALERT,
        [
          `-rule=${join(folder, 'vmalert.json')}`,
          `-datasource.url=${url}`,
          `-notifier.url=${url}${own.path}`,
          `-httpListenAddr=127.0.0.1:${vmPort}`,
          '-rule.resendDelay=1s',
        ],
        { stdio: 'ignore' },
      );
    let vmalert = begin();
    try {
      const latest = async () => (await alerts(own))[0];
      await until('it fires', async () => (await latest())?.status === 'firing', 20_000);
      await untilRepeated();
      expect(await latest()).toMatchObject({ title: 'DiskBroken (b)', eventCount: 1 });
      isAway = true;
      await until('Muster was away', async () => refused > 0);
      isAway = false;
      await untilRepeated();
      expect(await alerts(own)).toMatchObject([{ status: 'firing', eventCount: 1 }]);
      vmalert.kill('SIGKILL');
      await once(vmalert, 'exit');
      vmalert = begin();
      await until('it fires again', async () => (await latest())?.eventCount === 2, 20_000);
      isBroken = false;
      await until('it is resolved', async () => (await latest())?.status === 'resolved');
      expect(await alerts(own)).toMatchObject([{ resolvedBy: 'event', eventCount: 3 }]);
    } finally {
      vmalert.kill('SIGKILL');
      door.closeAllConnections();
      door.close();
    }
  }),
);
