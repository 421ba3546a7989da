import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { WorkerServices } from '../../../workers/run/services.js';
import { checkHeartbeats } from '../../../workers/upkeep/check-heartbeats.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { Client } from '../../support/api/client.js';
import { workerServices } from '../../support/api/run-job.js';
import { makeWebhook, receiptOf, type TestWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let services: WorkerServices;
beforeAll(async () => {
  stack = await startStack();
  // The tests say when the intake has listened.
  await stack.api.intake.listening.stop();
  client = await Client.of(stack);
  services = workerServices(stack);
});
beforeEach(() => stack.database('listening_periods').delete());
afterAll(() => stack.stop());

const MINUTE_MS = 60_000;
const HOURLY = { schedule: { periodSeconds: 3_600 }, graceSeconds: 600 };

interface TestHeartbeat extends TestWebhook {
  name: string;
  /** The path to ping. */
  ping: string;
  resource: string;
}

async function heartbeat(settings: object, name = 'backup'): Promise<TestHeartbeat> {
  const webhook = await makeWebhook(client);
  const resource = `/v2/webhooks/${webhook.id}/heartbeats/${name}`;
  const created = await client.json('PUT', resource, settings);
  expect(created.status).toBe(201);
  return { ...webhook, name, resource, ping: `${webhook.path}/heartbeat/${name}` };
}

const shown = async ({ resource }: TestHeartbeat) => (await client.get(resource)).body.data;

/** Pings, and waits until that is stored. Returns the event. */
async function ping(path: string, init: RequestInit & { method?: string } = {}) {
  const sent = await client.send(init.method ?? 'POST', path, init);
  expect(sent.status).toBe(202);
  const id = sent.headers.get('location')?.split('/').pop() ?? '';
  return receiptOf(client, id);
}

async function alertsOf({ id }: TestWebhook) {
  const { data } = (await client.get(`/v2/alerts?webhookId=${id}`)).body;
  return data.toReversed();
}

/** Moves what a heartbeat reported so many minutes into the past. Its alerts and what they are made of are lost. */
async function age({ id, name }: TestHeartbeat, minutes: number): Promise<void> {
  for (const table of ['series', 'series_items', 'series_alerts', 'alerts'])
    await stack.database(table).delete();
  await stack.database.raw(
    `UPDATE heartbeat_states SET succeeded_at = succeeded_at - INTERVAL ? MINUTE, started_at = started_at - INTERVAL ? MINUTE,
       failed_at = failed_at - INTERVAL ? MINUTE, due_at = due_at - INTERVAL ? MINUTE WHERE webhook_id = ? AND name = ?`,
    [minutes, minutes, minutes, minutes, id, name],
  );
}

/** Lets the intake have listened between these minutes before now. */
async function listen(now: number, ...minutes: readonly [from: number, to: number][]): Promise<void> {
  for (const [from, to] of minutes)
    await stack.database('listening_periods').insert({
      began_at: new Date(now - from * MINUTE_MS),
      last_seen_at: new Date(now - to * MINUTE_MS),
    });
}

const tick = () => runTurn([checkHeartbeats], services);

test('pings by GET, HEAD and POST report success, and the first one begins the expectation', async () => {
  const backup = await heartbeat({ schedule: { cron: '0 3 * * *', timeZone: 'Europe/Berlin' } });
  expect(await shown(backup)).toMatchObject({ state: 'new', nextExpectedAt: null, graceSeconds: 300 });
  expect((await shown(backup)).url).toBe(
    `${stack.url}${backup.ping}`.replace(stack.url, new URL((await shown(backup)).url).origin),
  );
  for (const method of ['GET', 'HEAD', 'POST']) await ping(backup.ping, { method });
  const receipt = await ping(backup.ping, { method: 'POST', body: 'Copied 12 files.' });
  expect(receipt).toMatchObject({ state: 'ping', raw: 'Copied 12 files.', alertIds: [] });
  const { state, lastSuccessAt, nextExpectedAt } = await shown(backup);
  expect([state, lastSuccessAt]).toEqual(['up', receipt.receivedAt]);
  const local = { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' } as const;
  expect(new Date(nextExpectedAt).toLocaleTimeString('de-DE', local)).toBe('03:00');
  expect(await alertsOf(backup)).toEqual([]);
});

test('a failure is an alert with the log, and the next success resolves it', async () => {
  const backup = await heartbeat({ ...HOURLY, severity: 'critical' });
  await ping(`${backup.ping}/start`);
  expect((await shown(backup)).state).toBe('running');
  const failed = await ping(`${backup.ping}/3`, { method: 'POST', body: 'No space left on device' });
  expect(await shown(backup)).toMatchObject({ state: 'failing', lastExitStatus: 3 });
  const [alert] = await alertsOf(backup);
  expect(alert).toMatchObject({
    status: 'firing',
    dedupKey: 'muster:heartbeat:backup',
    title: 'Heartbeat backup failed with exit status 3',
    description: 'No space left on device',
    severity: 'critical',
    source: 'Muster',
    custom: { heartbeat: 'backup' },
    eventId: failed.id,
  });
  await ping(`${backup.ping}/fail`);
  await ping(`${backup.ping}/0`);
  expect(await shown(backup)).toMatchObject({ state: 'up' });
  const all = await alertsOf(backup);
  expect(all).toMatchObject([
    { id: alert.id, status: 'resolved', resolution: 'The job reported success.', eventCount: 3 },
  ]);
  expect((await client.get(`/v2/alerts/${alert.id}`)).status).toBe(200);
  expect((await client.get(`/v2/alerts/${alert.id}/events`)).body.data).toHaveLength(3);
});

test('a log of any size and encoding does not stop a ping, and its start is kept in whole characters', async () => {
  const backup = await heartbeat(HOURLY);
  const long = await ping(`${backup.ping}/1`, { method: 'POST', body: `x${'ä'.repeat(2_000_000)}` });
  expect(long).toMatchObject({ rawEncoding: 'utf-8', raw: `x${'ä'.repeat(32_767)}` });
  expect((await alertsOf(backup))[0].description).toBe(`x${'ä'.repeat(1_999)}`);
  const latin = Buffer.from('Kein Platz für Dateien', 'latin1');
  expect(await ping(`${backup.ping}/1`, { method: 'POST', body: latin })).toMatchObject({
    rawEncoding: 'base64',
    raw: latin.toString('base64'),
  });
  expect((await alertsOf(backup))[0].description).toBe('Kein Platz f\ufffdr Dateien');
});

test('a ping that does not come is an alert from the end of the grace period on, which counts only listening', async () => {
  const backup = await heartbeat(HOURLY);
  const { receivedAt } = await ping(backup.ping);
  const now = Date.now();
  await age(backup, 100);
  const expected = Date.parse(receivedAt) - 40 * MINUTE_MS;
  // Away for 20 minutes from the expected time on.
  await listen(now, [200, 40], [20, 0]);
  await tick();
  const [alert, ...others] = await alertsOf(backup);
  expect(others).toEqual([]);
  const back = now - 20 * MINUTE_MS;
  expect(Date.parse(alert.receivedAt)).toBe(
    back + 10 * MINUTE_MS - Math.max(0, now - 40 * MINUTE_MS - expected),
  );
  expect(alert).toMatchObject({ status: 'firing', title: 'Heartbeat backup is late', severity: 'error' });
  expect(alert.description).toMatch(
    /^No ping came by .* UTC\. It was expected at .* UTC \(every 1 hour\), and may be 10 minutes late\. The last success was at .* UTC\. Muster could not receive pings for (?:20 minutes|19 minutes \d+ seconds) of that time/,
  );
  expect((await shown(backup)).state).toBe('late');
  const event = (await client.get(`/v2/events/${alert.eventId}`)).body.data;
  expect(event.state).toBe('internal');
  expect(JSON.parse(event.raw)).toMatchObject({ muster: 'heartbeat', heartbeat: 'backup', problem: 'late' });
  // Again changes nothing.
  await tick();
  expect(await alertsOf(backup)).toMatchObject([{ status: 'firing', eventCount: 1 }]);
  await ping(backup.ping);
  expect(await alertsOf(backup)).toMatchObject([{ status: 'resolved', eventCount: 2 }]);
  expect((await shown(backup)).state).toBe('up');
});

test('a run that takes too long is an alert, and its end resolves it', async () => {
  const backup = await heartbeat({ ...HOURLY, maxRunSeconds: 900 });
  await ping(`${backup.ping}/start`);
  await age(backup, 17);
  await listen(Date.now(), [200, 0]);
  await tick();
  expect(await alertsOf(backup)).toMatchObject([
    { title: 'Heartbeat backup runs too long', status: 'firing' },
  ]);
  expect((await shown(backup)).state).toBe('overrun');
  await ping(backup.ping);
  expect(await alertsOf(backup)).toMatchObject([{ status: 'resolved' }]);
});

test('a late job that starts and then runs too long still fires, with the new problem', async () => {
  const backup = await heartbeat({ ...HOURLY, maxRunSeconds: 900 });
  await ping(backup.ping);
  await age(backup, 100);
  await listen(Date.now(), [200, 0]);
  await tick();
  expect(await alertsOf(backup)).toMatchObject([{ title: 'Heartbeat backup is late', status: 'firing' }]);
  await ping(`${backup.ping}/start`);
  const started = stack.database.raw('started_at - INTERVAL 17 MINUTE');
  const due = stack.database.raw('due_at - INTERVAL 17 MINUTE');
  await stack.database('heartbeat_states').update({ started_at: started, due_at: due });
  await tick();
  await tick();
  expect((await shown(backup)).state).toBe('overrun');
  expect(await alertsOf(backup)).toMatchObject([
    { title: 'Heartbeat backup runs too long', status: 'firing', eventCount: 2 },
  ]);
});

test('new settings are checked at once, also against an alert that they make wrong', async () => {
  const backup = await heartbeat(HOURLY);
  await ping(backup.ping);
  await age(backup, 100);
  await listen(Date.now(), [200, 0]);
  await tick();
  expect(await alertsOf(backup)).toMatchObject([{ status: 'firing' }]);
  expect((await client.json('PUT', backup.resource, { schedule: { periodSeconds: 86_400 } })).status).toBe(
    200,
  );
  await tick();
  expect(await alertsOf(backup)).toMatchObject([{ status: 'resolved' }]);
  expect((await shown(backup)).state).toBe('up');
  await client.json('PUT', backup.resource, HOURLY);
  await tick();
  expect((await shown(backup)).state).toBe('late');
  expect(await alertsOf(backup)).toMatchObject([{ status: 'resolved' }, { status: 'firing' }]);
});

test.each(['heartbeat', 'integration'])(
  'the alert of a deleted %s is resolved, after all that pings say',
  async (deleted) => {
    const [failing, late] = [await heartbeat(HOURLY), await heartbeat(HOURLY)];
    await ping(late.ping);
    await age(late, 100);
    await listen(Date.now(), [200, 0]);
    await ping(`${failing.ping}/fail`);
    await tick();
    for (const one of [failing, late]) {
      const path = deleted === 'heartbeat' ? one.resource : `/v2/webhooks/${one.id}`;
      expect((await client.send('DELETE', path)).status).toBe(204);
      expect((await client.get(one.resource)).status).toBe(404);
      expect((await client.send('POST', one.ping)).status).toBe(404);
    }
    // Other hosts may accept pings for some seconds.
    await tick();
    for (const one of [failing, late]) expect(await alertsOf(one)).toMatchObject([{ status: 'firing' }]);
    await stack.database('heartbeat_states').update({ due_at: new Date(Date.now() - 2 * MINUTE_MS) });
    await tick();
    for (const one of [failing, late]) {
      const resolution = 'The heartbeat was deleted.';
      expect(await alertsOf(one)).toMatchObject([{ status: 'resolved', resolution }]);
      expect(await stack.database('heartbeat_states').where({ webhook_id: one.id })).toEqual([]);
    }
    await age(late, 100);
    await tick();
    expect(await alertsOf(late)).toEqual([]);
  },
);

test('wrong names, schedules and results are named', async () => {
  const { id, path } = await makeWebhook(client);
  const put = (name: string, body: object) =>
    client.json('PUT', `/v2/webhooks/${id}/heartbeats/${name}`, body);
  const misnamed = await put('a%20b', HOURLY);
  expect([misnamed.status, misnamed.body.message]).toEqual([404, expect.stringContaining('1 to 64 letters')]);
  expect((await put('a', { schedule: { cron: '61 * * * *' } })).status).toBe(400);
  expect((await put('a', { schedule: { cron: '0 0 30 2 *' } })).status).toBe(400);
  expect((await put('a', { schedule: { cron: '2026-12-24T03:00:00' } })).body.message).toContain('5 fields');
  for (const timeZone of ['Europe/Atlantis', '']) {
    const { body } = await put('a', { schedule: { cron: '0 3 * * *', timeZone } });
    expect(body.errors).toMatchObject([{ field: 'schedule.timeZone' }]);
  }
  expect((await put('a', { schedule: { periodSeconds: 5 } })).status).toBe(400);
  for (const severity of ['', 'cri\0tical', 'critical\ud800'])
    expect((await put('a', { ...HOURLY, severity })).body.errors).toMatchObject([{ field: 'severity' }]);
  expect((await put('a', HOURLY)).status).toBe(201);
  expect((await client.send('POST', `${path}/heartbeat/b`)).body).toMatchObject({ code: 'not_found' });
  expect((await client.send('POST', `${path}/heartbeat/a/done`)).status).toBe(404);
  expect((await client.send('POST', `${path}/heartbeat/a/256`)).status).toBe(404);
  const reader = await Client.of(stack, 'webhooks:read');
  expect((await reader.get(`/v2/webhooks/${id}/heartbeats`)).body.data[0].url).not.toContain(path);
});

test('a remap leaves pings and their alerts alone, and no event of a source has their key', async () => {
  const backup = await heartbeat(HOURLY);
  await ping(`${backup.ping}/fail`);
  const mapping = { fields: { dedupKey: { template: '{{webhook.key}}' }, title: { template: 't' } } };
  const saved = await client.json('PUT', `/v2/webhooks/${backup.id}/mapping`, mapping);
  expect(saved.status).toBeLessThan(300);
  const sent = await client.json('POST', backup.path, { key: 'muster:heartbeat:backup', status: 'resolved' });
  const event = await receiptOf(client, sent.body.eventId);
  expect(event.warnings.map(({ code }: { code: string }) => code)).toContain('reserved_dedup_key');
  const remapped = await client.json('POST', `/v2/webhooks/${backup.id}/remap`, {}, { prefer: 'wait=30' });
  expect(remapped.body.data.counts).toMatchObject({ events: 1 });
  const alerts = await alertsOf(backup);
  expect(alerts).toMatchObject([
    { dedupKey: 'muster:heartbeat:backup', status: 'firing' },
    { dedupKey: null },
  ]);
});

test('ten thousand heartbeats that are due in the same minute are late at exactly their times', async () => {
  const { id } = await makeWebhook(client);
  const now = Date.now();
  const names = Array.from({ length: 10_000 }, (_, index) => `job-${index}`);
  const due = (index: number) => now - 5 * MINUTE_MS - index * 6;
  const settings = { description: '', grace_s: 600, period_s: 3_600, time_zone: 'UTC', severity: 'error' };
  const dates = { created_at: new Date(), updated_at: new Date() };
  await stack.database.batchInsert(
    'heartbeats',
    names.map((name) => ({ webhook_id: id, name, ...settings, ...dates })),
    2_000,
  );
  await stack.database.batchInsert(
    'heartbeat_states',
    names.map((name, index) => {
      const succeeded_at = new Date(due(index) - 4_200_000);
      return { webhook_id: id, name, succeeded_at, due_at: new Date(due(index)) };
    }),
    2_000,
  );
  await listen(now, [200, 0]);
  await tick();
  const rows = await stack
    .database('alerts')
    .where('severity', 'error')
    .where('title', 'like', 'Heartbeat job-%');
  expect(rows).toHaveLength(names.length);
  for (const row of rows) {
    const index = Number(/job-(\d+)/.exec(row.title ?? '')?.[1]);
    if (row.received_at.getTime() !== due(index)) throw new Error(`${row.title} is late at the wrong time`);
  }
}, 120_000);
