import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serveMetrics } from '../../../workers/process/metrics-server.js';
import { retryWhileDatabaseUnavailable } from '../../../workers/run/retry-while-unavailable.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import type { UpkeepTask } from '../../../workers/upkeep/task.js';
import { Client } from '../../support/api/client.js';
import { type Metrics, parseMetrics } from '../../support/api/metrics.js';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
let url: string;
let end: () => void;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  const { metrics, log } = stack.worker!;
  end = serveMetrics({ host: '127.0.0.1', port: 0 }, metrics, log);
  const told = () =>
    stack.lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'metrics are served');
  await until('it listens', () => told() !== undefined);
  url = `http://127.0.0.1:${told().port}/metrics`;
});
afterAll(async () => {
  end();
  await stack.stop();
});

const scraped = async (): Promise<Metrics> => parseMetrics(await (await fetch(url)).text());

/** Returns how much each metric grew since `before`. */
function grown(before: Metrics, after: Metrics) {
  return (name: string, labels: Record<string, string> = {}) =>
    after.sum(name, labels) - before.sum(name, labels);
}

test('events and their alerts are counted, failed events separately', async () => {
  const before = await scraped();
  const { path, id } = await makeWebhook(client);
  const mapping = { split: 'alerts', fields: { severity: { template: '{{item.s}}' } } };
  expect((await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping)).status).toBe(201);
  const bodies = [ALERT, { alerts: [{ s: 'a' }, { s: 'b' }] }, { alerts: Array(10_001).fill(1) }];
  for (const body of bodies) {
    const { eventId } = (await (await sendEvent(stack.url, path, body)).json()) as { eventId: string };
    await receiptOf(client, eventId);
  }
  let more = grown(before, await scraped());
  await until('the last turn has ended', async () => {
    more = grown(before, await scraped());
    return more('muster_job_duration_seconds_count', { job: 'alert-intake' }) === 3;
  });
  expect(more('muster_events_stored_total')).toBe(3);
  expect(more('muster_events_failed_total')).toBe(1);
  expect(more('muster_alerts_stored_total')).toBe(3);
});

test('incomplete alerts are counted and logged by integration, without any part of a payload', async () => {
  const before = await scraped();
  const fields = {
    severity: { template: '{{webhook.sevrity}}' },
    description: { template: '{{webhook.text}}' },
    source: { template: 'Test' },
  };
  const mapping = { split: 'alerts', fields: { ...fields, severity: { template: '{{item.sevrity}}' } } };
  const incomplete = await makeWebhook(client, { template: null });
  const failing = await makeWebhook(client, { template: null });
  const complete = await makeWebhook(client);
  await client.json('PUT', `/v2/webhooks/${incomplete.id}/mapping`, { fields });
  await client.json('PUT', `/v2/webhooks/${failing.id}/mapping`, mapping);
  const events: [typeof complete, unknown][] = [
    [incomplete, { severity: 'payload-marker-23', text: 'x' }],
    [incomplete, { severity: 'high' }],
    [failing, { text: 'x', alerts: [{}, { sevrity: 'low' }] }],
    [failing, { alerts: Array(10_001).fill(1) }],
    [complete, ALERT],
  ];
  for (const [{ path }, body] of events) {
    const { eventId } = (await (await sendEvent(stack.url, path, body)).json()) as { eventId: string };
    await receiptOf(client, eventId);
  }
  const count = async ({ id }: { id: string }) =>
    grown(before, await scraped())('muster_alerts_incomplete_total', { webhook_id: id });
  await until('all are counted', async () => (await count(incomplete)) === 2 && (await count(failing)) === 1);
  expect(await count(complete)).toBe(0);

  const lines = () =>
    stack.lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'the mapping of an integration does not fit its events');
  const sumOf = ({ id }: { id: string }, key: string) =>
    lines()
      .filter(({ webhookId }) => webhookId === id)
      .reduce((sum, line) => sum + line[key], 0);
  await until(
    'all are logged',
    () =>
      sumOf(incomplete, 'incompleteAlerts') === 2 &&
      sumOf(failing, 'incompleteAlerts') === 1 &&
      sumOf(failing, 'failedEvents') === 1,
  );
  expect(lines().find(({ webhookId }) => webhookId === incomplete.id)).toMatchObject({
    level: 40,
    revision: 1,
    faults: [{ code: 'missing', field: 'severity', path: 'webhook.sevrity' }],
  });
  expect(lines().some(({ webhookId }) => webhookId === complete.id)).toBe(false);
  expect(stack.lines.join('\n')).not.toContain('payload-marker-23');
});

test('jobs are counted by outcome, and rows by result', async () => {
  const before = await scraped();
  const header = 'email,integrationId,identity\n';
  const good = `${header}ada@example.com,7,ada\ngrace@example.com,7,grace\n`;
  expect((await client.upload(good, '?dryRun=true')).body.counts.created).toBe(2);
  expect((await client.upload(good)).body.counts.created).toBe(2);
  expect((await client.upload(`${good}ada@example.com,7,ada2\n`)).body.counts.unchanged).toBe(2);
  expect((await client.upload(`${header}ada,7,ada\n`)).status).toBe(400);
  const partly = await client.upload(`${header}ada,7,a\nada@example.com,7,b\n`, '?onError=continue');
  expect(partly.body.counts.rejected).toBe(1);
  await client.json('DELETE', '/v2/developers/identities', [
    { integrationId: 7, identity: 'ada' },
    { integrationId: 7, identity: 'nobody' },
  ]);
  let more = grown(before, await scraped());
  const jobs = (outcome: string) =>
    more('muster_job_duration_seconds_count', { job: 'identity-import', outcome });
  await until('the last turn has ended', async () => {
    more = grown(before, await scraped());
    return jobs('completed') === 4;
  });
  expect([jobs('failed'), jobs('completed_with_errors'), jobs('retried')]).toEqual([1, 1, 0]);
  const rows = (result: string) => more('muster_import_rows_total', { result });
  expect(['created', 'unchanged', 'removed', 'not_found', 'superseded'].map(rows)).toEqual([4, 2, 1, 1, 0]);
});

test('upkeep tasks are counted by outcome', async () => {
  const before = await scraped();
  const task = (name: string, run: () => AsyncGenerator<number, void>): UpkeepTask => ({ name, run });
  const tasks = [
    task('short', async function* () {
      yield 1;
    }),
    task('endless', async function* () {
      for (;;) yield 1;
    }),
    // biome-ignore lint/correctness/useYield: it fails first
    task('broken', async function* () {
      throw new Error('broken');
    }),
  ];
  await runTurn(tasks, stack.worker!, { sliceMs: 5, gentleMs: 0, turnMs: 20 });
  const more = grown(before, await scraped());
  const counted = (task: string) =>
    ['done', 'unfinished', 'failed'].map((outcome) => more('muster_upkeep_tasks_total', { task, outcome }));
  expect(tasks.map(({ name }) => counted(name))).toEqual([
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ]);
});

test('work that waits for the database is shown until the database is available', async () => {
  const waiting = async () => (await scraped()).sum('muster_database_waiting');
  expect(await waiting()).toBe(0);
  let isAway = true;
  // The database is unavailable as long as every session is killed in the middle of its statement.
  const work = () => stack.database.raw(isAway ? 'KILL CONNECTION_ID()' : 'SELECT 1');
  const done = retryWhileDatabaseUnavailable(new AbortController().signal, work);
  await until('it waits', async () => (await waiting()) === 1);
  isAway = false;
  await done;
  expect(await waiting()).toBe(0);
});

test('the worker reports its own health', async () => {
  const metrics = await scraped();
  expect(metrics.sum('muster_redis_up')).toBe(1);
  expect(metrics.sum('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(metrics.of('nodejs_eventloop_lag_p99_seconds')).toHaveLength(1);
});
