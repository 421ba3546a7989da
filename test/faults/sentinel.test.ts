import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../support/api/webhooks.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { startSentinel } from '../support/servers/sentinel.js';
import { until } from '../support/until.js';

let sentinel: Awaited<ReturnType<typeof startSentinel>>;
let processes: Processes;
beforeAll(async () => {
  // The second replica confirms events after the failover.
  sentinel = await startSentinel({ replicas: 2 });
  const env = { REDIS_URL: sentinel.url, NODE_EXTRA_CA_CERTS: sentinel.ca, LOG_LEVEL: 'error' };
  processes = await startProcesses({ env });
});
afterAll(async () => {
  await processes?.stop();
  await sentinel?.stop();
});

test('with a user, passwords and TLS, events and jobs are processed before and after a failover', async () => {
  const { client, url } = processes;
  const { path } = await makeWebhook(client);
  const store = async () => {
    const sent = await sendEvent(url, path, ALERT);
    expect(sent.status).toBe(202);
    const { eventId } = (await sent.json()) as { eventId: string };
    return receiptOf(client, eventId);
  };
  expect(await store()).toMatchObject({ state: 'normalized' });
  await sentinel.killMaster();
  await until(
    'the API takes events again',
    async () => (await sendEvent(url, path, ALERT)).status === 202,
    20_000,
  );
  expect(await store()).toMatchObject({ state: 'normalized' });
  const upload = await client.upload('email,integrationId,identity\nada@example.com,1,ada\n');
  expect([upload.status, upload.body.counts?.created]).toEqual([200, 1]);
});
