import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { toEventId } from '../../../db/events/alerts/alert-id.js';
import { listeningPeriods, noteListening, type Period } from '../../../db/upkeep/listening.js';
import { buildEvent } from '../../../workers/events/store/build-event.js';
import { inMemoryBatch } from '../../../workers/events/store/event-batch.js';
import { WriteGroup } from '../../../workers/events/store/write-group.js';
import { compileStored } from '../../../workers/mapping/index.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { expireSilentAlerts } from '../../../workers/upkeep/expire-silent-alerts.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { Client } from '../../support/api/client.js';
import { workerServices } from '../../support/api/run-job.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { cases, enoughTime } from '../../support/effort.js';
import { itemsEvent, WEBHOOK, writeEvents } from '../../support/series/write-items.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let services: WorkerServices;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  // The tests say when the intake has listened.
  await stack.api.intake.listening.stop();
  client = await Client.of(stack);
  services = workerServices(stack);
  const { id } = await makeWebhook(client, { template: null });
  await stack.database('webhooks').where({ id }).update({ id: WEBHOOK, resolve_after_s: 600 });
});
beforeEach(clear);
afterAll(() => stack.stop());

const MINUTE_MS = 60_000;
const RULES = new Map([[WEBHOOK, { ms: 10 * MINUTE_MS, byEvent: true }]]);

async function clear(): Promise<void> {
  const tables = ['events', 'alerts', 'series', 'series_items', 'series_alerts', 'series_expiries'];
  for (const table of [...tables, 'listening_periods']) await stack.database(table).delete();
}

/** Lets the intake have listened between these minutes before now. */
async function listen(now: number, ...minutes: readonly [from: number, to: number][]): Promise<void> {
  for (const [from, to] of minutes)
    await stack.database('listening_periods').insert({
      began_at: new Date(now - from * MINUTE_MS),
      last_seen_at: new Date(now - to * MINUTE_MS),
    });
}

/** Stores an event of a key so many minutes before now, whenever that is. It may say for how many minutes its alert lives. */
const store = (
  now: number,
  minutes: number,
  dedupKey = 'disk',
  { status = 'firing' as 'firing' | 'resolved', life = null as number | null, rules = RULES } = {},
) => {
  const at = now - minutes * MINUTE_MS;
  const expiresAt = life === null ? null : at + life * MINUTE_MS;
  const item = { dedupKey, status, title: dedupKey, ranks: '2000000', expiresAt };
  return writeEvents(stack.database, [itemsEvent(uuidv7(), at, [item])], { expiryRules: rules });
};

const tick = () => runTurn([expireSilentAlerts], services);

/** Returns the alerts, oldest first, with times in minutes before now. */
async function alerts(now: number) {
  const rows = await stack.database('alerts').orderBy('received_at');
  const minutes = (time: Date | null) => time && (now - time.getTime()) / MINUTE_MS;
  return rows.map((row) => ({
    at: minutes(row.received_at),
    last: minutes(row.last_event_at),
    ended: minutes(row.resolved_at),
    by: row.resolved_by,
    events: row.event_count,
  }));
}

test('an alert expires ten minutes after its last event, at that time, and not before upkeep can know', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  await store(now, 30);
  await store(now, 22);
  await store(now, 10.5, 'cpu');
  await tick();
  expect(await alerts(now)).toEqual([
    { at: 30, last: 22, ended: 12, by: 'expiry', events: 2 },
    { at: 10.5, last: 10.5, ended: null, by: null, events: 1 },
  ]);
  const [alert] = (await client.get('/v2/alerts?resolvedBy=expiry')).body.data;
  expect(alert).toMatchObject({ status: 'resolved', resolution: null, title: 'disk' });
  const { body } = await client.get(`/v2/alerts/${alert.id}/events`);
  expect(body.data.at(-1)).toMatchObject({ origin: 'expiry', outcome: 'resolved', eventId: null, by: null });
});

test('what fires when its integration is deleted still expires', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  await store(now, 30);
  const webhook = stack.database('webhooks').where({ id: WEBHOOK });
  await webhook.clone().update({ deleted_at: new Date(now) });
  await tick();
  await webhook.clone().update({ deleted_at: null });
  expect(await alerts(now)).toMatchObject([{ ended: 20, by: 'expiry' }]);
});

test('time in which the intake did not listen does not count', async () => {
  const now = Date.now();
  await listen(now, [100, 28], [8.5, 0]);
  await store(now, 30);
  await tick();
  // Two minutes before the gap, and seven and a half after it: the last one is not settled.
  expect(await alerts(now)).toMatchObject([{ ended: null }]);
  await stack
    .database('listening_periods')
    .where('id', '>', 0)
    .update({ began_at: new Date(now - 60 * MINUTE_MS) });
  await tick();
  expect(await alerts(now)).toMatchObject([{ at: 30, by: 'expiry' }]);
});

test('an event that is stored late takes an expiry back that did not know of it', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  await store(now, 30);
  await tick();
  expect(await alerts(now)).toMatchObject([{ ended: 20 }]);
  await store(now, 21);
  expect(await alerts(now)).toEqual([{ at: 30, last: 21, ended: null, by: null, events: 2 }]);
  await tick();
  expect(await alerts(now)).toEqual([{ at: 30, last: 21, ended: 11, by: 'expiry', events: 2 }]);
  const statuses = await stack
    .database('series_items')
    .whereNotNull('origin')
    .orderBy('received_at')
    .pluck('status');
  expect(statuses).toEqual(['-resolved', 'resolved']);
});

test('an alert that expired is followed by another one, also if no upkeep came in between', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  for (const minutes of [60, 55, 40]) await store(now, minutes);
  expect(await alerts(now)).toEqual([
    { at: 60, last: 55, ended: 45, by: 'expiry', events: 2 },
    { at: 40, last: 40, ended: null, by: null, events: 1 },
  ]);
});

test('nothing expires at a time of which a batch still waits to be stored', async () => {
  const now = Date.now();
  await listen(now, [100, 0]);
  await store(now, 30);
  await store(now, 50, 'cpu');
  const { path } = await makeWebhook(client, { template: null });
  expect((await fetch(stack.url + path, { method: 'POST', body: '{}' })).status).toBe(202);
  // It has waited for 25 minutes: no worker takes it.
  const { redis } = services;
  const keys = await redis.keys(`*${stack.prefix.slice(1, -1)}*intake*`);
  const jobs = keys.filter((key) => /:[0-9a-f-]{36}/.test(key));
  expect(jobs).toHaveLength(1);
  await redis.hset(jobs[0] as string, 'timestamp', now - 25 * MINUTE_MS);
  await tick();
  expect(await alerts(now)).toMatchObject([
    { at: 50, ended: 40 },
    { at: 30, ended: null },
  ]);
  await redis.del(keys);
});

test('the API notes one period for as long as it accepts events, and a new one after a gap', async () => {
  const { database } = stack;
  for (let times = 0; times < 3; times++) {
    await noteListening(database);
    await sleep(2);
  }
  expect(await listeningPeriods(database)).toHaveLength(1);
  await database('listening_periods').update({
    began_at: database.raw('UTC_TIMESTAMP(3) - INTERVAL 1 HOUR'),
    last_seen_at: database.raw('UTC_TIMESTAMP(3) - INTERVAL 21 SECOND'),
  });
  await noteListening(database);
  expect(await listeningPeriods(database)).toHaveLength(2);
  // A database whose clock was a year ahead for a while.
  await database('listening_periods').update({
    last_seen_at: database.raw('UTC_TIMESTAMP(3) + INTERVAL 1 YEAR'),
  });
  await noteListening(database);
  expect(await database('listening_periods')).toHaveLength(3);
});

/** An event, and for how many minutes its alert lives, if it says that. */
interface Told {
  minute: number;
  life: number | null;
}

/**
 * What the documentation says, minute by minute: half a minute before the end of ten minutes in which the intake listened and heard nothing, or as many as the last event says,
 * the alert ends.
 */
function byDefinition(events: readonly Told[], periods: readonly Period[], until: number) {
  const found: { at: number; ended: number | null; events: number }[] = [];
  let [heard, life] = [0, 10];
  for (let minute = 0; minute <= until; minute++) {
    const open = found.at(-1);
    if (periods.some(({ from, to }) => from < minute && minute <= to)) heard += 1;
    if (open?.ended === null && heard === life) open.ended = minute - 0.5;
    const event = events.find((one) => one.minute === minute);
    if (!event) continue;
    [heard, life] = [0, event.life ?? 10];
    if (open?.ended === null) open.events += 1;
    else found.push({ at: minute, ended: null, events: 1 });
  }
  return found;
}

test(
  'whenever events are stored and upkeep runs, alerts end as if each minute had been watched',
  async () => {
    const gaps = fc.uniqueArray(fc.integer({ min: 1, max: 119 }), { maxLength: 4 });
    const history = fc.record({
      events: fc.uniqueArray(
        fc.record({
          minute: fc.integer({ min: 0, max: 118 }),
          life: fc.option(fc.integer({ min: 1, max: 40 })),
        }),
        { minLength: 1, maxLength: 12, selector: ({ minute }) => minute },
      ),
      gaps,
      // Upkeep looks at all of the time at once. An event that is stored after that cannot shorten what upkeep took for granted, so events with a life
      // of their own come without it. In a running service, upkeep waits for the events before the time that it looks at.
      ticks: fc.option(fc.infiniteStream(fc.boolean())),
    });
    // Half minutes: an alert never ends in the millisecond of an event.
    const rules = new Map([[WEBHOOK, { ms: 9.5 * MINUTE_MS, byEvent: true }]]);
    await stack.database('webhooks').where({ id: WEBHOOK }).update({ resolve_after_s: 570 });
    await fc.assert(
      fc.asyncProperty(history, async ({ events, gaps, ticks }) => {
        await clear();
        const now = Date.now() - 2 * MINUTE_MS;
        const bounds = [0, ...gaps.sort((one, other) => one - other), 120];
        const periods = bounds.flatMap((from, index) => {
          const to = bounds[index + 1];
          return index % 2 || to === undefined ? [] : [{ from, to }];
        });
        // Events come only while the intake listens.
        const heard = events
          .filter(({ minute }) => periods.some(({ from, to }) => from <= minute && minute <= to))
          .sort((one, other) => one.minute - other.minute)
          .map(({ minute, life }) => ({ minute, life: ticks ? null : life }));
        await listen(now, ...periods.map(({ from, to }): [number, number] => [120 - from, 120 - to]));
        for (const { minute, life } of heard) {
          await store(now, 120 - minute, 'disk', { life: life && life - 0.5, rules });
          if (ticks?.next().value) await tick();
        }
        await tick();
        const expected = byDefinition(heard, periods, 120);
        const stored = (await alerts(now)).map(({ at, ended, events: count }) => ({
          at: 120 - Number(at),
          ended: ended === null ? null : 120 - ended,
          events: count,
        }));
        expect(stored).toEqual(expected);
      }),
      { numRuns: cases(8) },
    );
  },
  enoughTime(60_000),
);

test('an event says when its alert expires, and a later event overrides that', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const fields = {
    title: { template: '{{webhook.name}}' },
    dedupKey: { template: '{{webhook.name}}' },
    expiresAt: { template: '{{webhook.timeout}}' },
  };
  const compiled = compileStored({ fields });
  const mapping = 'mapping' in compiled ? compiled.mapping : null;
  expect(mapping).not.toBeNull();
  const now = Date.now();
  await listen(now, [200, 0]);
  const send = async (name: string, minutes: number, timeout: string) => {
    const raw = JSON.stringify({ name, timeout });
    const event = { id: toEventId(uuidv7()), webhookId: id, receivedAt: now - minutes * MINUTE_MS, raw };
    const built = buildEvent(event, { revision: 1, mapping });
    const group = new WriteGroup(services, [inMemoryBatch([event])], () => built, {
      expiryRules: new Map([[id, { ms: null, byEvent: true }]]),
    });
    await group.write();
    return built;
  };
  await send('five minutes', 60, '5m');
  await send('once more', 60, '5m');
  await send('once more', 57, '10m');
  await send('for ever', 60, '5m');
  await send('for ever', 57, '');
  await send('soon', 60, 'soon');
  await tick();
  const ends = Object.fromEntries(
    (await stack.database('alerts').orderBy('received_at')).map((row) => [
      row.title,
      row.resolved_at && [(now - row.resolved_at.getTime()) / MINUTE_MS, row.resolved_by],
    ]),
  );
  expect(ends).toEqual({
    'five minutes': [55, 'expiry'],
    'once more': [47, 'expiry'],
    'for ever': null,
    soon: null,
  });
  await tick();
  // Of alerts that are over, and of events that said nothing, nothing is left.
  expect(await stack.database('series_expiries')).toEqual([]);
});

test('an integration says how long, within limits, and shows it', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const path = `/v2/webhooks/${id}`;
  expect((await client.get(path)).body.data.resolveAfterSeconds).toBeNull();
  const saved = await client.json('PATCH', path, { resolveAfterSeconds: 3_600 });
  expect(saved.body.data).toMatchObject({ resolveAfterSeconds: 3_600 });
  expect((await client.json('PATCH', path, { name: 'other' })).body.data.resolveAfterSeconds).toBe(3_600);
  expect((await client.json('PATCH', path, { resolveAfterSeconds: 59 })).status).toBe(400);
  expect(
    (await client.json('PATCH', path, { resolveAfterSeconds: null })).body.data.resolveAfterSeconds,
  ).toBeNull();
});
