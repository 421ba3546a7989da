import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { fromUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { insertDestination } from '../../../db/outbox/destinations.js';
import { takeLanes } from '../../../db/outbox/lanes.js';
import { refoldMarked } from '../../../workers/events/series/refold-series.js';
import type { Delivery } from '../../../workers/outbox/delivery.js';
import { fanOut } from '../../../workers/outbox/fan-out.js';
import { runLane } from '../../../workers/outbox/lane.js';
import { LaneStore } from '../../../workers/outbox/lane-store.js';
import { type Digest, MESSAGE_TYPES } from '../../../workers/outbox/presets/preset.js';
import { webhook } from '../../../workers/outbox/presets/webhook.js';
import { cases, enoughTime } from '../../support/effort.js';
import { SOME_DESTINATION } from '../../support/outbox/some-destination.js';
import { itemSpec } from '../../support/series/item-spec.js';
import { itemsEvent, WEBHOOK, writeEvents } from '../../support/series/write-items.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let own: TestDatabase;
const MODES = { every: uuidv7(), latest: uuidv7() };
beforeAll(async () => {
  own = await createTestDatabase();
  const now = new Date();
  await own.database('webhooks').insert({
    id: WEBHOOK,
    name: 'Boiler',
    description: '',
    mapping_revision: 0,
    over_limit_status: 503,
    created_at: now,
    updated_at: now,
  });
  for (const mode of ['every', 'latest'] as const)
    await insertDestination(own.database, {
      ...SOME_DESTINATION,
      id: MODES[mode],
      name: mode,
      preset: mode === 'latest' ? 'digest' : 'webhook',
      types: [...MESSAGE_TYPES],
      mode,
      repeatEveryMinutes: 1,
      digestAbove: mode === 'latest' ? 1 : null,
    });
});
afterAll(() => own.drop());

interface Received {
  destinationId: string;
  type: string;
  sequence: number;
  alert: { id: string; dedupKey: string; status: string; severity: string | null };
}

const renderDigest = ({ told }: Digest) => ({
  contentType: 'application/json',
  text: `[${told.map((one) => webhook.render(one, null).text).join()}]`,
});

let received: Received[] = [];
/** How many requests told of several alerts. */
let digests = 0;
/** How the next requests fail; null: not. What is `late` is received, and not accepted: its response comes too late. */
let failures: ('lost' | 'late' | null)[] = [];
const delivery = (): Delivery => ({
  database: own.database,
  log: pino({ level: 'silent' }),
  closing: new AbortController().signal,
  send: async ({ url, body }) => {
    const failure = failures.pop();
    if (failure === 'lost') return { status: 503, headers: {}, body: '' };
    const destinationId = new URL(url).pathname.slice(1);
    const told = JSON.parse(body.toString());
    if (Array.isArray(told)) digests += 1;
    for (const { type, data } of Array.isArray(told) ? told : [told])
      received.push({ destinationId, type, ...data });
    return { status: failure === 'late' ? 503 : 204, headers: {}, body: '' };
  },
  open: (_, owner) => `https://receiver/${owner}`,
  presetOf: (name) => (name === 'digest' ? { ...webhook, renderDigest } : webhook),
  count: () => {},
  publicUrl: null,
  now: Date.now,
});

/** Runs the lanes that are due. Returns how many those are. */
async function runLanes(): Promise<number> {
  let count = 0;
  for (const isFailing of [false, true]) {
    const since = performance.now();
    const lanes = await takeLanes(own.database, { lease: uuidv7(), limit: 5, isFailing });
    for (const lane of lanes) await runLane(delivery(), lane, { store: new LaneStore(own.database), since });
    count += lanes.length;
  }
  return count;
}

async function tellAll(): Promise<void> {
  do {
    while (await fanOut(own.database));
  } while ((await runLanes()) > 0);
}

const LONG_AGO = new Date(Date.UTC(2025, 0, 1));
/** Has nothing wait for its time. */
async function hurry(): Promise<void> {
  await own.database('messages').where({ state: 'waiting' }).update({ due_at: LONG_AGO });
  await own.database('lanes').update({ due_at: LONG_AGO, probe_at: null });
}

/** Makes what destinations know so old that they are to be told again, and has that noted in the outbox, but not sent. */
async function repeat(): Promise<void> {
  await own.database('beliefs').update({ told_at: LONG_AGO, repeat_from: LONG_AGO });
  await own.database('lanes').update({ due_at: LONG_AGO });
  await runLanes();
}

const TABLES = [
  'events',
  'alerts',
  'series',
  'series_items',
  'series_alerts',
  'outbox',
  'transitions',
  'messages',
  'message_attempts',
  'beliefs',
] as const;
const START = Date.UTC(2026, 0, 1);

/** Events with the time when they were accepted, and the place in which they are stored: some of them late. */
const stored = fc.array(
  fc.record({
    step: fc.nat(2),
    specs: fc.array(itemSpec, { minLength: 1, maxLength: 3 }),
    late: fc.nat(6),
    ends: fc.constantFrom('group', 'tell', 'refold', 'repeat', null),
  }),
  { minLength: 1, maxLength: 25 },
);

const someFailures = fc.array(fc.constantFrom('lost', 'late', null), { maxLength: 12 });

async function forgetAll(): Promise<void> {
  for (const table of TABLES) await own.database(table).delete();
  await own.database('lanes').update({ failures: 0, failing_since: null, probe_at: null });
  received = [];
  failures = [];
}

test('an alert is told again that is as it was before a change that was told and not accepted', async () => {
  await forgetAll();
  for (const [index, severity] of ['a', 'b', 'a'].entries()) {
    // Both lanes tell of the change too late.
    failures = severity === 'b' ? ['late', 'late'] : [];
    await writeEvents(own.database, [
      itemsEvent(uuidv7(), START + index, [{ dedupKey: 'disk', status: 'firing', severity }]),
    ]);
    await tellAll();
  }
  await hurry();
  await tellAll();
  for (const id of Object.values(MODES)) await expectTold(id);
  const toLatest = received.filter(({ destinationId }) => destinationId === MODES.latest);
  expect(toLatest.map(({ alert }) => alert.severity)).toEqual(['a', 'b', 'a']);
});

test(
  'in whatever order events are stored, in the end destinations know what each alert is',
  async () => {
    const counts = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(stored, someFailures, async (list, someFailed) => {
        await forgetAll();
        failures = [...someFailed];
        let time = START;
        const events = list.map(({ step, specs, late, ends }, index) => {
          time += step;
          return { event: itemsEvent(uuidv7(), time, specs), place: index + late, ends };
        });
        events.sort((one, other) => one.place - other.place);
        let group: (typeof events)[number]['event'][] = [];
        for (const { event, ends } of events) {
          group.push(event);
          if (ends === null) continue;
          await writeEvents(own.database, group);
          group = [];
          if (ends === 'refold') await own.database('series').update({ refold_from: new Date(START) });
          if (ends === 'refold') await refold();
          if (ends === 'repeat') await repeat();
          else if (ends !== 'group') await tellAll();
        }
        await writeEvents(own.database, group);
        await refold();
        await tellAll();
        while ((await own.database('messages').where({ state: 'waiting' })).length > 0) {
          await hurry();
          await tellAll();
        }
        for (const { type } of received) counts.set(type, (counts.get(type) ?? 0) + 1);
        for (const id of Object.values(MODES)) await expectTold(id);
        expect(await own.database('outbox')).toEqual([]);
      }),
      { numRuns: cases(20) },
    );
    expect([...counts.keys()].sort()).toEqual([
      'alert.changed',
      'alert.fired',
      'alert.repeated',
      'alert.resolved',
    ]);
    expect(digests).toBeGreaterThan(0);
  },
  enoughTime(120_000),
);

/** Expects that a destination knows what each alert is, and was told in order. */
async function expectTold(id: string): Promise<void> {
  const toIt = received.filter(({ destinationId }) => destinationId === id);
  const last = new Map<string, Received>();
  for (const message of toIt) {
    const before = last.get(message.alert.dedupKey);
    if (before) expect(message.sequence).toBeGreaterThanOrEqual(before.sequence);
    // Only what it has been told of is told again, as it is.
    if (message.type === 'alert.repeated') {
      const { status, severity } = message.alert;
      expect([status, message.alert.id, severity]).toEqual([
        'firing',
        before?.alert.id,
        before?.alert.severity,
      ]);
    }
    last.set(message.alert.dedupKey, message);
  }
  for (const { dedup_key: key, firing, alert_id, severity } of await own.database('series')) {
    const told = last.get(key)?.alert;
    if (firing === 1)
      expect([key, told?.status, told?.id, told?.severity]).toEqual([
        key,
        'firing',
        fromUuidBinary(alert_id ?? Buffer.alloc(16)),
        severity,
      ]);
    else expect([key, told?.status ?? 'resolved']).toEqual([key, 'resolved']);
  }
}

const refold = () => refoldMarked(own.database, { isDue: () => true, run: (query) => query() });
