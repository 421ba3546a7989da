import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../support/api/client.js';
import { makeWebhook, type TestWebhook } from '../support/api/webhooks.js';
import { tokenOf } from '../support/dialects/conformance.js';
import { startProxyTo, startVendorHosts } from '../support/dialects/vendor-hosts.js';
import { runZabbixScript, zabbixScript } from '../support/dialects/zabbix-script.js';
import { describeEngine, unpackedEngine } from '../support/engines/describe-engine.js';
import type { Receiver } from '../support/outbound/receiver.js';
import { type Stack, startStack } from '../support/servers/stack.js';
import { until } from '../support/until.js';

/* Programs whose hosts are fixed, as Debian packages them, which reach Muster under the names of PagerDuty and Opsgenie. */

const apprise = unpackedEngine('apprise');
const zabbix = unpackedEngine('zabbix');
const folder = mkdtempSync(join(tmpdir(), 'muster-drop-in-'));

let stack: Stack;
let client: Client;
let hosts: Receiver;
let proxy: Awaited<ReturnType<typeof startProxyTo>>;
let env: Record<string, string>;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  hosts = await startVendorHosts(stack);
  proxy = await startProxyTo(hosts);
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, String(hosts.network.ca));
  env = { https_proxy: proxy.url, REQUESTS_CA_BUNDLE: ca, CURL_CA_BUNDLE: ca };
});
afterAll(async () => {
  proxy?.stop();
  await hosts?.stop();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const alertsOf = async ({ id }: TestWebhook) => (await client.get(`/v2/alerts?webhookId=${id}`)).body.data;

describeEngine('Apprise', apprise ? null : 'Apprise could not be unpacked', () => {
  const notify = (url: string): Promise<number> =>
    new Promise((resolve) => {
      const message = ['-n', 'failure', '-t', 'Backup', '-b', 'Backup failed', url];
      const args = [join(apprise ?? '', 'usr/bin/apprise'), ...message];
      const packages = { PYTHONPATH: join(apprise ?? '', 'usr/lib/python3/dist-packages') };
      execFile('/usr/bin/python3', args, { env: { ...env, ...packages } }, (error) =>
        resolve(Number(error?.code ?? 0)),
      );
    });

  test('reaches Muster in place of PagerDuty and Opsgenie, and reports a wrong key', async () => {
    const webhooks = {
      pagerduty: await makeWebhook(client, { template: 'pagerduty-events' }),
      opsgenie: await makeWebhook(client, { template: 'opsgenie-api' }),
    };
    const urls = [
      `pagerduty://${tokenOf(webhooks.pagerduty.path)}@any-key/db-1`,
      `opsgenie://${tokenOf(webhooks.opsgenie.path)}`,
    ];
    const sent = [...urls, `pagerduty://${'x'.repeat(32)}@any-key`, `opsgenie://${'x'.repeat(32)}`];
    expect(await Promise.all(sent.map(notify))).toEqual([0, 0, 1, 1]);
    for (const webhook of Object.values(webhooks))
      await until('it fires', async () => (await alertsOf(webhook))[0]?.status === 'firing');
    expect(await alertsOf(webhooks.pagerduty)).toMatchObject([{ severity: 'critical' }]);
    expect(await alertsOf(webhooks.opsgenie)).toMatchObject([{ description: 'Backup failed' }]);
  });
});

describeEngine('Zabbix', zabbix ? null : 'Zabbix could not be unpacked', () => {
  test('its script for Opsgenie creates, updates and closes, and fails while Muster is away', async () => {
    const webhook = await makeWebhook(client, { template: 'opsgenie-api' });
    const script = zabbixScript(zabbix ?? '', 'Opsgenie');
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
  });

  test('its script for PagerDuty triggers, acknowledges and resolves, and reports a wrong key', async () => {
    const webhook = await makeWebhook(client, { template: 'pagerduty-events' });
    const script = zabbixScript(zabbix ?? '', 'PagerDuty');
    const run = (more: Record<string, string>) =>
      runZabbixScript(
        script,
        {
          event_source: '0',
          eventack: 'No',
          eventdate: '2026.03.01',
          eventid: '4712',
          eventname: 'Disk full',
          eventtags: 'scope:capacity',
          eventtime: '08:00:00',
          eventupdate: '0',
          eventvalue: '1',
          hostip: '192.0.2.1',
          hostname: 'db-1',
          severity: '5',
          token: tokenOf(webhook.path),
          triggerdesc: 'The disk of db-1 is full',
          triggerid: '12',
          triggeropdata: '99%',
          url: 'https://zabbix.example.com',
          ...more,
        },
        env,
      );
    expect((await run({ token: 'x'.repeat(32) })).text).toMatch(/^PagerDuty notification failed : /);
    expect(await run({})).toEqual({ failed: false, text: 'OK' });
    await until('it fires', async () => (await alertsOf(webhook))[0]?.status === 'firing');
    expect((await run({ eventupdate: '1', eventack: 'Yes' })).failed).toBe(false);
    expect((await run({ eventvalue: '0' })).failed).toBe(false);
    await until('it is resolved', async () => (await alertsOf(webhook))[0]?.status === 'resolved');
    expect(await alertsOf(webhook)).toMatchObject([
      { title: 'Disk full', severity: 'critical', source: 'db-1 : 192.0.2.1', dedupKey: '4712' },
    ]);
  });
});
