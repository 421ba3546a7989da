import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { fromUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { inTransaction } from '../../../db/client/transaction.js';
import { type AlertEnd, endAlerts } from '../../../workers/events/series/end-alerts.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';
import { retryWhileDatabaseUnavailable } from '../../../workers/run/retry-while-unavailable.js';
import { cases } from '../../support/effort.js';
import { itemSpec } from '../../support/series/item-spec.js';
import {
  foldAll,
  foldStatuses,
  seriesTables,
  storedAlerts,
  storedEnds,
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

/** An end that no event reports: after which group, of which firing alert, how long after its newest event, and how long it was silent. */
const end = fc.record({
  group: fc.nat(8),
  alert: fc.nat(3),
  offset: fc.integer({ min: -2, max: 3 }),
  silentMs: fc.option(fc.nat(3)),
});

/** Ends one of the alerts that fire, like a worker, at a place that may be before that of stored events. */
async function endOne({
  alert,
  offset,
  silentMs,
}: {
  alert: number;
  offset: number;
  silentMs: number | null;
}) {
  const firing = await own.database('series').where('firing', 1).orderBy('id');
  const row = firing[alert % (firing.length || 1)];
  if (!row?.alert_id || !row.alert_last_received_at) return;
  const receivedAt = row.alert_last_received_at.getTime() + offset;
  const ending: AlertEnd = {
    id: uuidv7(),
    alertId: fromUuidBinary(row.alert_id),
    series: {
      id: fromUuidBinary(row.id),
      webhookId: fromUuidBinary(row.webhook_id),
      dedupKey: row.dedup_key,
    },
    receivedAt,
    origin: silentMs === null ? 'person' : 'expiry',
    silentSince: silentMs === null ? null : receivedAt - silentMs,
    reason: 'gone',
    by: null,
    jobId: null,
  };
  await retryWhileDatabaseUnavailable(new AbortController().signal, () =>
    inTransaction(own.database, (transaction) => endAlerts(transaction, [ending])),
  );
}

/** Groups to write one after the other, in any order; each lane of a group is written at the same time as the others. */
const schedule = events.chain((list) =>
  fc.record({
    list: fc.constant(list),
    order: fc.oneof(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    sizes: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }),
    repeated: fc.subarray(list, { maxLength: Math.min(3, list.length) }),
    lanes: fc.integer({ min: 1, max: 3 }),
    minSplitEvents: fc.constantFrom(1, 3, 100),
    ends: fc.array(end, { maxLength: 12 }),
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
    fc.asyncProperty(schedule, async ({ list, order, sizes, repeated, lanes, minSplitEvents, ends }) => {
      for (const table of TABLES) await own.database(table).delete();
      const groups = inGroups([...order, ...repeated], sizes);
      let written = 0;
      const write = async () => {
        for (let group = groups.shift(); group; group = groups.shift()) {
          await writeEvents(own.database, group, { minSplitEvents });
          written += 1;
          for (const one of ends) if (one.group === written) await endOne(one);
        }
      };
      await Promise.all(Array.from({ length: lanes }, write));
      const items = [...list.flatMap(itemsOf), ...(await storedEnds(own.database))];
      expect(await storedAlerts(own.database)).toEqual(foldAll(items));
      const tables = await seriesTables(own.database);
      expect(tables.starts).toEqual(tables.alerts);
      expect(tables.latest).toEqual(tables.newest);
      expect(await storedStatuses(own.database)).toEqual(foldStatuses(items));
      const [{ count }] = (await own.database('series_items').count({ count: '*' })) as [{ count: number }];
      expect(count).toBe(items.length);
    }),
    { numRuns: cases(12) },
  );
});
