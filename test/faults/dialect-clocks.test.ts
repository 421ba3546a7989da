import { expect } from '@jest/globals';
import { freePort } from '../../scripts/processes/free-port.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { ask } from '../support/dialects/conformance.js';
import { createClock, whyNoClocks } from '../support/faults/clock.js';
import { START_WITHIN_MS, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const KEYS = 20;

testUnless(whyNoClocks())(
  'what one host opens and another one closes right afterwards is closed, if the clock of the first one is ahead',
  async () => {
    const clock = createClock();
    clock.set(1.5);
    const processes = await startProcesses();
    const port = await freePort();
    processes.start('api', { PORT: String(port), ...clock.env });
    const ready = async () =>
      (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.status === 200;
    await until('the second API is ready', ready, START_WITHIN_MS);
    const { client } = processes;
    const opsgenie = await makeWebhook(client, { template: 'opsgenie-api' });
    const pagerduty = await makeWebhook(client, { template: 'pagerduty-events' });
    const ahead = { port };
    const payload = { summary: 'Down', source: 's', severity: 'error' };
    const replies = [];
    for (let number = 0; number < KEYS; number++) {
      const alias = `k${number}`;
      const alerts = `${opsgenie.path}/v2/alerts`;
      const events = `${pagerduty.path}/v2/enqueue`;
      const event = { dedup_key: alias, payload };
      // Gatus creates an alert once more when it recovers, and then closes it.
      replies.push(await ask(processes, { path: alerts, body: { message: 'Down', alias } }));
      replies.push(await ask(ahead, { path: alerts, body: { message: 'RESOLVED: Down', alias } }));
      replies.push(await ask(processes, { path: `${alerts}/${alias}/close?identifierType=alias` }));
      replies.push(await ask(ahead, { path: events, body: { ...event, event_action: 'trigger' } }));
      replies.push(await ask(processes, { path: events, body: { ...event, event_action: 'resolve' } }));
    }
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));
    const resolved = async (status: string) =>
      (await client.get(`/v2/alerts?status=${status}&pageSize=100`)).body.data.length;
    await until('all are resolved', async () => (await resolved('resolved')) === 2 * KEYS);
    expect(await resolved('firing')).toBe(0);
    const { data } = (await client.get(`/v2/alerts?webhookId=${opsgenie.id}&pageSize=100`)).body;
    expect(new Set(data.map(({ title }: { title: string }) => title))).toEqual(new Set(['Down']));
    await processes.stop();
    clock.remove();
  },
  4 * START_WITHIN_MS,
);
