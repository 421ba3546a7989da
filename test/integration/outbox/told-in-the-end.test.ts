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
import { MESSAGE_TYPES } from '../../../workers/outbox/presets/preset.js';
import { webhook } from '../../../workers/outbox/presets/webhook.js';
import { cases, enoughTime } from '../../support/effort.js';
import { itemSpec } from '../../support/series/item-spec.js';
import { itemsEvent, WEBHOOK, writeEvents } from '../../support/series/write-items.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let own: TestDatabase;
const DESTINATION = uuidv7();
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
  await insertDestination(own.database, {
    id: DESTINATION,
    name: 'Receiver',
    description: '',
    preset: 'webhook',
    url: Buffer.from('sealed'),
    host: 'receiver',
    secret: null,
    previousSecret: null,
    previousSecretExpiresAt: null,
    webhookIds: null,
    types: [...MESSAGE_TYPES],
    severityAtLeast: null,
    filter: null,
    body: null,
    mode: 'every',
    settleSeconds: 0,
    ratePerMinute: null,
    pausedAt: null,
    author: { id: uuidv7(), name: 'test' },
  });
});
afterAll(() => own.drop());

interface Received {
  sequence: number;
  alert: { id: string; dedupKey: string; status: string; severity: string | null };
}

const received: Received[] = [];
const delivery = (): Delivery => ({
  database: own.database,
  log: pino({ level: 'silent' }),
  closing: new AbortController().signal,
  send: async ({ body }) => {
    received.push(JSON.parse(body.toString()).data);
    return { status: 204, headers: {}, body: '' };
  },
  open: () => 'https://receiver/',
  presetOf: () => webhook,
  count: () => {},
  publicUrl: null,
  now: Date.now,
});

async function tellAll(): Promise<void> {
  while (await fanOut(own.database));
  for (;;) {
    const lanes = await takeLanes(own.database, { lease: uuidv7(), seconds: 60, limit: 5, isFailing: false });
    if (lanes.length === 0) return;
    for (const lane of lanes) await runLane(delivery(), lane, new LaneStore(own.database));
  }
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
    ends: fc.constantFrom('group', 'tell', 'refold', null),
  }),
  { minLength: 1, maxLength: 25 },
);

test(
  'in whatever order events are stored, in the end destinations know what each alert is',
  async () => {
    let messages = 0;
    await fc.assert(
      fc.asyncProperty(stored, async (list) => {
        for (const table of TABLES) await own.database(table).delete();
        received.length = 0;
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
          if (ends !== 'group') await tellAll();
        }
        await writeEvents(own.database, group);
        await refold();
        await tellAll();
        messages += received.length;
        const last = new Map(received.map((one) => [one.alert.dedupKey, one.alert]));
        const series = await own.database('series');
        for (const { dedup_key: key, firing, alert_id, severity } of series) {
          const told = last.get(key);
          if (firing === 1)
            expect([key, told?.status, told?.id, told?.severity]).toEqual([
              key,
              'firing',
              fromUuidBinary(alert_id ?? Buffer.alloc(16)),
              severity,
            ]);
          else expect([key, told?.status ?? 'resolved']).toEqual([key, 'resolved']);
        }
        for (const key of last.keys()) {
          const sequences = received.filter(({ alert }) => alert.dedupKey === key).map((one) => one.sequence);
          expect(sequences).toEqual([...sequences].sort((one, other) => one - other));
        }
        expect(await own.database('outbox')).toEqual([]);
      }),
      { numRuns: cases(60) },
    );
    expect(messages).toBeGreaterThan(cases(60));
  },
  enoughTime(120_000),
);

const refold = () => refoldMarked(own.database, { isDue: () => true, run: (query) => query() });
