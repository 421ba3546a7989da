import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ALERT, makeWebhook, sendEvent } from '../../support/api/webhooks.js';
import { end, type Processes, startProcesses } from '../../support/servers/processes.js';
import { until } from '../../support/until.js';

const DRAIN_S = 2;

let processes: Processes;
beforeAll(async () => {
  processes = await startProcesses({ env: { DRAIN_S: String(DRAIN_S), LOG_LEVEL: 'error' } });
});
afterAll(() => processes.stop());

test('an API that shuts down first tells load balancers to send no more requests, and still responds', async () => {
  const { api, client, url } = processes;
  const { path } = await makeWebhook(client);
  const readiness = () => fetch(`${url}/readyz`);
  expect((await readiness()).headers.get('connection')).toBe('keep-alive');
  const startedAt = Date.now();
  const ended = end(api);
  await until('it is no longer ready', async () => (await readiness()).status === 503);
  const notReady = await readiness();
  expect(notReady.headers.get('connection')).toBe('close');
  expect(await notReady.json()).toMatchObject({ code: 'shutting_down', redis: true, database: true });
  const sent = await sendEvent(url, path, ALERT);
  expect([sent.status, sent.headers.get('connection')]).toEqual([202, 'close']);
  await ended;
  expect(api.exitCode).toBe(0);
  expect(Date.now() - startedAt).toBeGreaterThanOrEqual(DRAIN_S * 1_000);
  await expect(readiness()).rejects.toThrow();
});
