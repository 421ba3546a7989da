import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { insertDestination } from '../../../db/outbox/destinations.js';
import { Pump } from '../../../workers/outbox/pump.js';
import { watchTrouble } from '../../../workers/trouble/watch.js';
import { SOME_DESTINATION } from '../../support/outbox/some-destination.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';
import { theRow } from '../../support/the-row.js';
import { until } from '../../support/until.js';

const ID = uuidv7();
const log = pino({ level: 'silent' });
let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
  await insertDestination(own.database, { ...SOME_DESTINATION, id: ID, name: 'Ops' });
});
afterAll(() => own.drop());

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
const lane = () => theRow(own.database('lanes').where({ destination_id: ID }));
const due = (minutes: number) =>
  own
    .database('lanes')
    .where({ destination_id: ID })
    .update({ due_at: minutesAgo(minutes) });
const attempt = (minutes: number) =>
  own.database('message_attempts').insert({
    destination_id: ID,
    transition_id: minutes,
    number: 1,
    began_at: minutesAgo(minutes),
  });

/** Looks for trouble as a worker without a key does. */
async function trouble(): Promise<string | null> {
  for await (const _ of watchTrouble({ database: own.database, log, open: null }, new Date()));
  return (await lane()).trouble;
}

test('a worker without a key leaves destinations to those that have one', async () => {
  await due(1);
  const delivery = {
    database: own.database,
    log,
    closing: new AbortController().signal,
    send: () => Promise.reject(new Error('nothing is to be sent')),
    open: () => null,
    presetOf: () => null,
    count: () => {},
    publicUrl: null,
    now: Date.now,
  };
  const pump = new Pump(delivery, false);
  pump.wake();
  await pump.close();
  expect((await lane()).lease).toBeNull();
  const other = new Pump(delivery, true);
  other.wake();
  await until('another worker has taken it', async () => (await lane()).due_at === null);
  await other.close();
});

test('it raises an alert if messages have been due for a quarter of an hour, and no worker has sent any', async () => {
  await due(14);
  expect(await trouble()).toBeNull();
  await due(16);
  await attempt(14);
  expect(await trouble()).toBeNull();
  await own.database('message_attempts').delete();
  await attempt(16);
  expect(await trouble()).toBe('unreadable');
  await due(1);
  expect(await trouble()).toBe('unreadable');
  await attempt(1);
  expect(await trouble()).toBeNull();
  const alerts = await own.database('alerts').select('title', 'resolved_at');
  expect(alerts).toEqual([{ title: 'Destination Ops cannot be read', resolved_at: expect.any(Date) }]);
});
