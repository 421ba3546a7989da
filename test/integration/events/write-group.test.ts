import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { alertId, toEventId } from '../../../db/events/alerts/alert-id.js';
import type { NewEvent } from '../../../db/events/new-event.js';
import { withoutAlerts } from '../../../workers/events/store/build-event.js';
import { type EventBatch, inMemoryBatch } from '../../../workers/events/store/event-batch.js';
import { WriteGroup } from '../../../workers/events/store/write-group.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

const POISON = 'poison';
const REJECTED_ONCE = 'rejected once';
const ERROR = { field: null, code: 'mapping_failed', message: 'replaced' };

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await own.database.raw(`CREATE TRIGGER poison BEFORE INSERT ON alerts FOR EACH ROW
    BEGIN IF NEW.title = '${POISON}' THEN SIGNAL SQLSTATE '22001'; END IF; END`);
  // MyISAM keeps the row when the insert that fired the trigger is rolled back.
  await own.database.raw('CREATE TABLE rejections (id INT) ENGINE = MyISAM');
  await own.database.raw(`CREATE TRIGGER once BEFORE INSERT ON alerts FOR EACH ROW
    IF NEW.title = '${REJECTED_ONCE}' AND NOT EXISTS (SELECT 1 FROM rejections) THEN
      INSERT INTO rejections VALUES (1); SIGNAL SQLSTATE '22001'; END IF`);
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

/** Builds one alert whose title is the body. */
function build(event: IntakeEvent): NewEvent {
  const texts = { severity: null, description: null, source: null, service: null, environment: null };
  const alert = { id: alertId(event.id, 0), state: 'complete' as const, title: event.raw, ...texts };
  return {
    ...withoutAlerts(event, 'failed', ERROR),
    state: 'normalized',
    faults: null,
    alerts: [{ ...alert, team: null, ownerEmail: null, custom: null, faults: null }],
  };
}

/** A batch that counts how often its events are read; after the first read, it returns `later`. */
function batchOf(events: readonly IntakeEvent[], later = events): EventBatch & { reads: number } {
  const batch = {
    ...inMemoryBatch(events),
    reads: 0,
    events: async () => (batch.reads++ === 0 ? events : later),
  };
  return batch;
}

const write = (...batches: EventBatch[]) =>
  new WriteGroup({ database: own.database, log: pino({ level: 'silent' }) }, batches, build).write();

const stateOf = async ({ id }: IntakeEvent) =>
  (
    await own
      .database('events')
      .where({ id: toUuidBinary(id) })
      .pluck('state')
  ).join();

const errorCodes = async () =>
  (await own.database('events').whereNotNull('faults').pluck('faults')).map(
    (faults) => JSON.parse(faults ?? '[]')[0].code,
  );

test('does not quarantine the only event left of a group whose other batch is gone', async () => {
  const [poison, innocent] = [event(POISON), event('innocent')];
  await write(batchOf([poison], []), batchOf([innocent]));
  expect([await stateOf(poison), await stateOf(innocent)]).toEqual(['', 'normalized']);
});

test('quarantines no event that the database accepts when it is inserted again', async () => {
  const one = event(REJECTED_ONCE);
  await write(batchOf([one]));
  expect(await own.database('rejections').count('* as n')).toEqual([{ n: 1 }]);
  expect(await stateOf(one)).toBe('normalized');
  expect(await own.database('alerts').pluck('title')).toEqual([REJECTED_ONCE]);
});

test('reads rejected events again only once, however many there are', async () => {
  const events = Array.from({ length: 20 }, (_, i) => event(i % 2 ? POISON : `alert ${i}`));
  const batch = batchOf(events);
  await write(batch);
  for (const [i, one] of events.entries()) expect(await stateOf(one)).toBe(i % 2 ? 'failed' : 'normalized');
  // Once to build the rows, once to bisect them.
  expect(batch.reads).toBe(2);
  expect(await errorCodes()).toEqual(Array(10).fill('refused_by_database'));
});

test('stores the first of two events with the same id', async () => {
  const first = event('first');
  const second = { ...first, raw: 'second' };
  await write(batchOf([first, second]));
  await write(batchOf([second]));
  expect(await own.database('alerts').pluck('title')).toEqual(['first']);
  expect((await own.database('events').pluck('raw')).map(String)).toEqual(['first']);
});

test('recognizes a stored id in upper case', async () => {
  const one = event('one', 'aaaaaaaa-aaaa-7aaa-8aaa-aaaaaaaaaaaa');
  await write(batchOf([one]));
  await write(batchOf([{ ...one, id: one.id.toUpperCase() }]));
  expect((await own.database('events').pluck('raw')).map(String)).toEqual(['one']);
});

test('writes the events that are new when others of the group are stored', async () => {
  const [stored, fresh] = [event('stored'), event('fresh')];
  await write(batchOf([stored]));
  const batch = batchOf([stored, fresh]);
  await write(batch);
  expect((await own.database('alerts').pluck('title')).sort()).toEqual(['fresh', 'stored']);
  expect(batch.reads).toBe(2);
});
