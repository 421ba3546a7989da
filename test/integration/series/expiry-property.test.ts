import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import type { NewItem } from '../../../db/events/new-event.js';
import { markForRefold } from '../../../db/series/refold-marks.js';
import type { SeriesPosition } from '../../../db/series/series.js';
import { refoldMarked } from '../../../workers/events/series/refold-series.js';
import { repeatWindowMs } from '../../../workers/mapping/index.js';
import type { IntakeEvent } from '../../../workers/queues/contracts/alert-intake.js';
import { expireSeriesPage } from '../../../workers/upkeep/expire-series.js';
import { cases, enoughTime } from '../../support/effort.js';
import { itemSpec } from '../../support/series/item-spec.js';
import { type ExpectedAlert, foldAll, seriesTables, storedAlerts } from '../../support/series/model.js';
import { itemsEvent, itemsOf, writeEvents } from '../../support/series/write-items.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let own: TestDatabase;
beforeAll(async () => {
  own = await createTestDatabase();
});
afterAll(() => own.drop());

const TABLES = ['events', 'alerts', 'series', 'series_items', 'series_alerts'];
const START = Date.UTC(2026, 0, 1);

/** Events, and how much later than the next ones each is stored. */
const history = fc.record({
  events: fc.array(
    fc.record({
      step: fc.nat(2),
      specs: fc.array(itemSpec, { minLength: 1, maxLength: 3 }),
      delay: fc.oneof(fc.constant(0), fc.nat(6)),
      /** Whether what is old enough expires after this event was stored. */
      expires: fc.boolean(),
    }),
    { minLength: 1, maxLength: 30 },
  ),
  page: fc.integer({ min: 1, max: 40 }),
});

async function expire(before: number, limit: number): Promise<void> {
  let after: SeriesPosition | null = null;
  do {
    ({ end: after } = await expireSeriesPage(own.database, new Date(before), after, limit));
  } while (after);
}

/** Returns the items of those series that have one which was received since a time. */
function living(items: readonly NewItem[], before: number): NewItem[] {
  const recent = new Set(items.flatMap((item) => (item.receivedAt < before ? [] : [item.seriesId])));
  return items.filter(({ seriesId }) => recent.has(seriesId));
}

/** Returns whether an alert has an event since a time, or still takes events then. */
function goesOn({ dedupKey, receivedAt, lastEventAt, resolvedAt }: ExpectedAlert, time: number): boolean {
  const windowMs = repeatWindowMs(dedupKey) ?? Number.POSITIVE_INFINITY;
  return lastEventAt >= time || (resolvedAt === null && time - receivedAt <= windowMs);
}

/** Returns the alerts of items without those that ended before a time. The fold forgets nothing that has expired. */
function unexpired(items: readonly NewItem[], before: number): ExpectedAlert[] {
  const alerts = foldAll(items).filter((alert) => goesOn(alert, before));
  const ids = new Set<string | null>(alerts.map(({ id }) => id));
  return alerts.map((alert) =>
    ids.has(alert.previousAlertId) ? alert : { ...alert, previousAlertId: null },
  );
}

async function expectAlerts(items: readonly NewItem[], expired: number): Promise<void> {
  expect(await storedAlerts(own.database)).toEqual(unexpired(items, expired));
  const tables = await seriesTables(own.database);
  expect(tables.starts).toEqual(tables.alerts);
  expect(tables.latest).toEqual(tables.newest);
  const series = await own.database('series').count({ count: '*' }).first();
  expect(Number(series?.count)).toBe(new Set(items.map(({ seriesId }) => seriesId)).size);
}

test(
  'alerts expire after their last event, and those that go on are folded as if no item had expired',
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ events, page }) => {
        for (const table of TABLES) await own.database(table).delete();
        let time = START;
        const waiting = events.map(({ step, specs, delay, expires }, number) => {
          time += step;
          return { event: itemsEvent(uuidv7(), time, specs) as IntakeEvent, at: number + delay, expires };
        });
        waiting.sort((one, other) => one.at - other.at);
        let items: NewItem[] = [];
        let expired = START;
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          await writeEvents(own.database, [next.event]);
          items.push(...itemsOf(next.event));
          if (!next.expires) continue;
          const before = Math.min(time, ...waiting.map(({ event }) => event.receivedAt));
          await expire(before, page);
          items = living(items, before);
          expired = before;
          await expectAlerts(items, expired);
        }
        await expectAlerts(items, expired);
        const stored = await own.database('series_items').count({ count: '*' }).first();
        expect(Number(stored?.count)).toBeLessThanOrEqual(items.length);
        // Folding everything from the start again gives the same.
        const keys = items.map(({ seriesId: id, webhookId, dedupKey }) => ({ id, webhookId, dedupKey }));
        await own.database.transaction((transaction) =>
          markForRefold(transaction, { keys, gone: [], from: START }),
        );
        await refoldMarked(own.database, { isDue: () => true, run: (query) => query() });
        await expectAlerts(items, expired);
      }),
      { numRuns: cases(12) },
    );
  },
  enoughTime(120_000),
);
