import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { alertId, toEventId } from '../../../db/events/alert-id.js';
import { EventRows, type NewEvent } from '../../../db/events/event-rows.js';
import { withoutAlerts } from '../../../workers/events/store/build-event.js';
import { type EventSource, storeBatch } from '../../../workers/events/store/store-batch.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const POISON = 'poison';
const FAULT = { field: null, code: 'refused_by_database', message: 'refused' };

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await own.database.raw(`CREATE TRIGGER poison BEFORE INSERT ON alerts FOR EACH ROW
    BEGIN IF NEW.title = '${POISON}' THEN SIGNAL SQLSTATE '22001'; END IF; END`);
});
beforeEach(async () => {
  await own.database('events').delete();
  await own.database('alerts').delete();
});
afterAll(() => own.drop());

const event = (raw: string, id = toEventId(uuidv7())): IntakeEvent => ({
  id,
  webhookId: '00000000-0000-7000-8000-000000000000',
  receivedAt: Date.now(),
  raw,
});

/** One alert, whose title is the body. */
function make(event: IntakeEvent): NewEvent {
  const texts = { severity: null, description: null, source: null, service: null, environment: null };
  const alert = { id: alertId(event.id, 0), state: 'complete' as const, title: event.raw, ...texts };
  return {
    ...withoutAlerts(event, 'failed', FAULT),
    state: 'normalized',
    alerts: [{ ...alert, team: null, custom: null, faults: null }],
  };
}

/** Where events are found when they are needed again; counts how often that was. */
function source(events: readonly IntakeEvent[]): EventSource & { reads: number } {
  const making = {
    reads: 0,
    events: async () => {
      making.reads += 1;
      return events;
    },
    make,
    quarantine: (event: IntakeEvent) => withoutAlerts(event, 'failed', FAULT),
  };
  return making;
}

const store = (events: readonly IntakeEvent[], making: EventSource) =>
  storeBatch(own.database, EventRows.of(events.map(make)), making);

const stateOf = async ({ id }: IntakeEvent) =>
  (
    await own
      .database('events')
      .where({ id: toUuidBinary(id) })
      .pluck('state')
  ).join();

test('an event is not to blame when those with which it was refused are no more', async () => {
  const [poison, innocent] = [event(POISON), event('innocent')];
  await store([poison, innocent], source([innocent]));
  expect([await stateOf(poison), await stateOf(innocent)]).toEqual(['', 'normalized']);
});

test('refused events are read again once, however many they are', async () => {
  const events = Array.from({ length: 20 }, (_, i) => event(i % 2 ? POISON : `alert ${i}`));
  const making = source(events);
  await store(events, making);
  for (const [i, one] of events.entries()) expect(await stateOf(one)).toBe(i % 2 ? 'failed' : 'normalized');
  expect(making.reads).toBe(1);
});

test('of two events with one id, the first is stored', async () => {
  const first = event('first');
  const second = { ...first, raw: 'second' };
  await store([first, second], source([first, second]));
  await store([second], source([second]));
  expect(await own.database('alerts').pluck('title')).toEqual(['first']);
  expect((await own.database('events').pluck('raw')).map(String)).toEqual(['first']);
});

test('an id that is there in other letters comes to an end', async () => {
  const one = event('one', 'aaaaaaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa');
  await store([one], source([one]));
  const again = { ...one, id: one.id.toUpperCase() };
  await store([again], source([again]));
  expect((await own.database('events').pluck('raw')).map(String)).toEqual(['one']);
});
