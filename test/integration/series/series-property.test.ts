import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';
import { cases } from '../../support/effort.js';
import { itemSpec } from '../../support/series/item-spec.js';
import {
  foldAll,
  foldStatuses,
  seriesTables,
  storedAlerts,
  storedStatuses,
} from '../../support/series/model.js';
import { itemsEvent, itemsOf, writeEvents } from '../../support/series/write-items.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

const TABLES = ['events', 'alerts', 'series', 'series_items', 'series_alerts'];
const START = Date.UTC(2026, 0, 1);

/** Events in the order in which they are accepted. Several may have the same time. */
const events: fc.Arbitrary<IntakeEvent[]> = fc
  .array(fc.tuple(fc.nat(2), fc.array(itemSpec, { minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 25,
  })
  .map((list) => {
    let time = START;
    return list.map(([step, specs]) => {
      time += step;
      return itemsEvent(uuidv7(), time, specs);
    });
  });

/** Groups to write one after the other, in any order; each lane of a group is written at the same time as the others. */
const schedule = events.chain((list) =>
  fc.record({
    list: fc.constant(list),
    order: fc.oneof(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }),
    repeated: fc.subarray(list, { maxLength: Math.min(3, list.length) }),
    lanes: fc.integer({ min: 1, max: 3 }),
  }),
);

function inGroups(order: readonly IntakeEvent[], sizes: readonly number[]): IntakeEvent[][] {
  const groups: IntakeEvent[][] = [];
  for (let at = 0; at < order.length; ) {
    const size = sizes[groups.length % sizes.length] as number;
    groups.push(order.slice(at, at + size));
    at += size;
  }
  return groups;
}

test('in whatever order and by however many writers events are stored, the alerts are those of the pure fold', async () => {
  await fc.assert(
    fc.asyncProperty(schedule, async ({ list, order, sizes, repeated, lanes }) => {
      for (const table of TABLES) await own.database(table).delete();
      const groups = inGroups([...order, ...repeated], sizes);
      const write = async () => {
        for (let group = groups.shift(); group; group = groups.shift())
          await writeEvents(own.database, group);
      };
      await Promise.all(Array.from({ length: lanes }, write));
      expect(await storedAlerts(own.database)).toEqual(foldAll(list.flatMap(itemsOf)));
      const tables = await seriesTables(own.database);
      expect(tables.starts).toEqual(tables.alerts);
      expect(tables.latest).toEqual(tables.newest);
      expect(await storedStatuses(own.database)).toEqual(foldStatuses(list.flatMap(itemsOf)));
      const [{ count }] = (await own.database('series_items').count({ count: '*' })) as [{ count: number }];
      expect(count).toBe(list.flatMap(itemsOf).length);
    }),
    { numRuns: cases(25) },
  );
});
