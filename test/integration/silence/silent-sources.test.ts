import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import type { Period } from '../../../db/upkeep/listening.js';
import type { SilenceRule } from '../../../db/webhooks/silences.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { watchSilence } from '../../../workers/silence/watch.js';
import { checkSilence } from '../../../workers/upkeep/check-silence.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { Client } from '../../support/api/client.js';
import { workerServices } from '../../support/api/run-job.js';
import { ALERT, makeWebhook, receiptOf, type TestWebhook } from '../../support/api/webhooks.js';
import { cases, enoughTime } from '../../support/effort.js';
import { itemsEvent, WEBHOOK, writeEvents } from '../../support/series/write-items.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
let services: WorkerServices;
beforeAll(async () => {
  stack = await startStack();
  await stack.api.intake.listening.stop();
  client = await Client.of(stack);
  services = workerServices(stack);
});
beforeEach(async () => {
  for (const table of ['listening_periods', 'silences']) await stack.database(table).delete();
  await stack.database('webhooks').update({ silence: null });
});
afterAll(() => stack.stop());

const MINUTE_MS = 60_000;
const tick = () => runTurn([checkSilence], services);
const TEN_MINUTES = { afterSeconds: 600, severity: 'error', schedule: null };

/** Makes an integration that is watched since half an hour ago, in which Muster listened. */
async function watched(more: object = {}): Promise<TestWebhook> {
  const webhook = await makeWebhook(client, { name: 'Boiler', silence: TEN_MINUTES, ...more });
  await stack
    .database('webhooks')
    .where({ id: webhook.id })
    .update({ silence_since: new Date(Date.now() - 30 * MINUTE_MS) });
  await stack.database('listening_periods').insert({
    began_at: new Date(Date.now() - 60 * MINUTE_MS),
    last_seen_at: new Date(),
  });
  return webhook;
}

const alertsOf = async ({ id }: TestWebhook) =>
  (await client.get(`/v2/alerts?webhookId=${id}`)).body.data.filter(
    ({ dedupKey }: { dedupKey: string | null }) => dedupKey === 'muster:silence',
  );

/** Moves the stored events of an integration so many minutes into the past. */
const age = (minutes: number) =>
  stack.database.raw(
    "UPDATE events SET received_at = received_at - INTERVAL ? MINUTE WHERE state <> 'internal'",
    [minutes],
  );

test('silence is an alert at its exact time, and the next event resolves it at its own', async () => {
  const webhook = await watched();
  const sent = await client.json('POST', webhook.path, ALERT);
  await receiptOf(client, sent.body.eventId);
  await age(5);
  await tick();
  expect(await alertsOf(webhook)).toEqual([]);
  await age(20);
  const { receivedAt } = await receiptOf(client, sent.body.eventId);
  await tick();
  await tick();
  const [alert, ...others] = await alertsOf(webhook);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({
    status: 'firing',
    title: 'No events from Boiler',
    severity: 'error',
    source: 'Muster',
    custom: { silence: 'silent' },
    receivedAt: new Date(Date.parse(receivedAt) + 10 * MINUTE_MS).toISOString(),
  });
  expect(alert.description).toMatch(
    /^No event was kept for 10 minutes\. No event was sent to its URL\. The last event came at /,
  );
  const next = await client.json('POST', webhook.path, ALERT);
  await receiptOf(client, next.body.eventId);
  await stack.database.raw(
    'UPDATE events SET received_at = received_at - INTERVAL 5 MINUTE WHERE id = UNHEX(?)',
    [next.body.eventId.replaceAll('-', '')],
  );
  const ended = (await receiptOf(client, next.body.eventId)).receivedAt;
  await tick();
  expect(await alertsOf(webhook)).toMatchObject([{ id: alert.id, status: 'resolved', resolvedAt: ended }]);
});

test('what only is rejected, filtered or refused is silence that says so', async () => {
  const rejected = await watched();
  await client.send('POST', rejected.path, { body: 'not JSON' });
  const filtered = await watched({ name: 'Noisy', template: null });
  const filter = 'webhook.level == "high"';
  const mapping = { fields: { title: { template: 't' } }, filter };
  expect((await client.json('PUT', `/v2/webhooks/${filtered.id}/mapping`, mapping)).status).toBeLessThan(300);
  const sent = await client.json('POST', filtered.path, { level: 'low' });
  expect((await receiptOf(client, sent.body.eventId)).state).toBe('filtered');
  const limited = await watched({ name: 'Flood', rateLimit: { eventsPerMinute: 1 } });
  const first = await client.json('POST', limited.path, ALERT);
  await receiptOf(client, first.body.eventId);
  expect((await client.json('POST', limited.path, ALERT)).status).toBe(503);
  await until('the rejected event is stored', async () => {
    const [row] = await stack.database('events').where({ state: 'rejected' }).count({ count: '*' });
    return Number(row?.count) === 1;
  });
  await stack.api.intake.directory.stop();
  await age(25);
  await tick();
  expect(await alertsOf(rejected)).toMatchObject([{ title: 'All events of Boiler are rejected' }]);
  expect((await alertsOf(rejected))[0].description).toMatch(
    /1 event came and could not be read\. The last: .+ The rule holds since/,
  );
  expect(await alertsOf(filtered)).toMatchObject([
    { title: 'All events of Noisy are filtered', custom: { silence: 'filtered' } },
  ]);
  expect(await alertsOf(limited)).toMatchObject([
    { title: 'All requests of Flood are refused', custom: { silence: 'refused' } },
  ]);
});

test('a rule that is taken away resolves the silence', async () => {
  const webhook = await watched();
  await tick();
  expect(await alertsOf(webhook)).toMatchObject([{ status: 'firing' }]);
  await client.json('PATCH', `/v2/webhooks/${webhook.id}`, { silence: null });
  await tick();
  expect(await alertsOf(webhook)).toMatchObject([
    { status: 'resolved', resolution: 'The integration no longer promises events.' },
  ]);
});

test('a limit is proposed from the gaps of the stored events', async () => {
  const webhook = await makeWebhook(client);
  const now = Date.now();
  await stack
    .database('listening_periods')
    .insert({ began_at: new Date(now - 40 * MINUTE_MS * 60), last_seen_at: new Date() });
  // Every 20 minutes, once with a gap of 50, of which Muster was away for none.
  const minutes = Array.from({ length: 40 }, (_, index) => index * 20 + (index > 20 ? 30 : 0));
  await stack.database('events').insert(
    minutes.map((before) => ({
      received_at: new Date(now - before * MINUTE_MS),
      id: Buffer.from(uuidv7().replaceAll('-', ''), 'hex'),
      webhook_id: Buffer.from(webhook.id.replaceAll('-', ''), 'hex'),
      state: 'normalized' as const,
      revision: 1,
      alert_count: 0,
      raw: Buffer.from('{}'),
    })),
  );
  const { body } = await client.send('POST', `/v2/webhooks/${webhook.id}/silence-trial`);
  expect(body.data).toMatchObject({ events: 40, longestGapSeconds: 3_000, proposedSeconds: 7_200 });
  const alerts = (seconds: number) =>
    body.data.candidates.find(({ afterSeconds }: { afterSeconds: number }) => afterSeconds === seconds)
      ?.alerts;
  expect([alerts(600), alerts(1_800), alerts(3_600)]).toEqual([39, 1, 0]);
});

test('wrong rules are named', async () => {
  const { id } = await makeWebhook(client);
  const change = async (silence: object) =>
    (await client.json('PATCH', `/v2/webhooks/${id}`, { silence })).body.errors.map(
      ({ field }: { field: string }) => field,
    );
  expect(await change({ afterSeconds: 10 })).toEqual(['silence.afterSeconds']);
  const hours = { days: [1, 1, 9], from: '8:00', to: '25:00', timeZone: 'Mars/Olympus' };
  expect(await change({ afterSeconds: 600, schedule: hours })).toEqual(
    expect.arrayContaining(['silence.schedule.from', 'silence.schedule.to']),
  );
  expect(
    await change({ afterSeconds: 600, schedule: { ...hours, days: [1], from: '08:00', to: '18:00' } }),
  ).toEqual(['silence.schedule.timeZone']);
});

/** The silences of an integration by minutes after a start, from a definition that looks at each minute. */
function expectedSilences(
  { events, ticks, away, hours }: History,
  afterMinutes: number,
): [from: number, to: number | null][] {
  const found: [from: number, to: number | null][] = [];
  const counts = (minute: number) => {
    const isAway = away.some(([from, length]) => minute >= from && minute < from + length);
    const hour = Math.floor(minute / 60) % 24;
    const isOpen =
      hours === null ||
      (hours[0] < hours[1] ? hour >= hours[0] && hour < hours[1] : hour >= hours[0] || hour < hours[1]);
    return !isAway && isOpen;
  };
  for (const tickAt of ticks) {
    const open = found.at(-1);
    if (open && open[1] === null) {
      const end = events.find((minute) => minute > open[0] && minute <= tickAt);
      if (end === undefined) continue;
      open[1] = end;
    }
    const last = events.filter((minute) => minute <= tickAt).at(-1) ?? 0;
    let heard = 0;
    for (let minute = last; minute < tickAt; minute++) {
      heard += counts(minute) ? 1 : 0;
      if (heard < afterMinutes) continue;
      found.push([minute + 1, null]);
      break;
    }
  }
  return found;
}

interface History {
  events: number[];
  ticks: number[];
  away: [from: number, length: number][];
  hours: [from: number, to: number] | null;
}

const sorted = (minutes: fc.Arbitrary<number>, maxLength: number) =>
  fc.uniqueArray(minutes, { maxLength }).map((all) => all.sort((one, other) => one - other));
const END = 3 * 24 * 60;
const history: fc.Arbitrary<History> = fc.record({
  events: sorted(fc.integer({ min: 1, max: END }), 12),
  ticks: sorted(fc.integer({ min: 1, max: END }), 10).map((ticks) => [...ticks, END + 1]),
  away: fc.array(fc.tuple(fc.nat(END), fc.integer({ min: 1, max: 600 })), { maxLength: 3 }),
  hours: fc.option(fc.tuple(fc.nat(23), fc.nat(23)).filter(([from, to]) => from !== to)),
});

test(
  'silences are those of a definition that looks at each minute, whenever upkeep looks',
  async () => {
    await makeWebhook(client, { template: null });
    const { id: drawn } = await makeWebhook(client, { template: null });
    await stack.database('webhooks').where({ id: drawn }).update({ id: WEBHOOK });
    const start = Date.UTC(2026, 0, 5);
    await fc.assert(
      fc.asyncProperty(history, async (one) => {
        for (const table of [
          'events',
          'deliveries',
          'alerts',
          'series',
          'series_items',
          'series_alerts',
          'silences',
        ])
          await stack.database(table).delete();
        const { hours } = one;
        const two = (hour: number) => `${String(hour).padStart(2, '0')}:00`;
        const rule: SilenceRule = {
          afterSeconds: 3_600,
          severity: 'error',
          schedule: hours && {
            days: [1, 2, 3, 4, 5, 6, 7],
            from: two(hours[0]),
            to: two(hours[1]),
            timeZone: 'UTC',
          },
        };
        await stack
          .database('webhooks')
          .where({ id: WEBHOOK })
          .update({ silence: JSON.stringify(rule), silence_since: new Date(start) });
        const events = one.events.map((minute) => itemsEvent(uuidv7(), start + minute * MINUTE_MS, []));
        if (events.length > 0) await writeEvents(stack.database, events);
        for (const tickAt of one.ticks) {
          const known = {
            until: new Date(start + tickAt * MINUTE_MS),
            periods: listened(one, start, tickAt),
          };
          for await (const _ of watchSilence(services, known));
        }
        const alerts = await stack.database('alerts').orderBy('received_at');
        const minutes = (time: Date | null) => time && (time.getTime() - start) / MINUTE_MS;
        expect(alerts.map((row) => [minutes(row.received_at), minutes(row.resolved_at)])).toEqual(
          expectedSilences(one, 60),
        );
      }),
      { numRuns: cases(12) },
    );
  },
  enoughTime(120_000),
);

/** The periods in which Muster listened, in order and without overlaps, up to a minute. */
function listened({ away }: History, start: number, to: number): Period[] {
  const periods: Period[] = [];
  let isOpen = false;
  for (let minute = 0; minute < to; minute++) {
    const isAway = away.some(([from, length]) => minute >= from && minute < from + length);
    const [from, end] = [start + minute * MINUTE_MS, start + (minute + 1) * MINUTE_MS];
    const last = periods.at(-1);
    if (!isAway && isOpen && last) last.to = end;
    else if (!isAway) periods.push({ from, to: end });
    isOpen = !isAway;
  }
  return periods;
}
