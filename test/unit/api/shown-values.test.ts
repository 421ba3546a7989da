import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SHOWN_VALUES, ShownValues } from '../../../api/routes/alerts/shown-values.js';
import {
  ALERT_FIELDS,
  foldItems,
  NO_ITEMS,
  ranksOf,
  type SeriesItem,
  shownAlert,
} from '../../../workers/mapping/index.js';
import { sortedItemsOf } from '../mapping/series/series-items.js';

/** Returns what an alert with these items shows, by name of the field. */
function shownBy(items: readonly SeriesItem[]): Map<string, string> {
  const [occurrence] = foldItems(NO_ITEMS, items).occurrences;
  if (!occurrence) return new Map();
  const { values, custom } = shownAlert(occurrence);
  return new Map([
    ...ALERT_FIELDS.flatMap((name, index): [string, string][] => {
      const value = values[index] ?? null;
      return value === null ? [] : [[name, value]];
    }),
    ...Object.entries(custom).map(([name, value]): [string, string] => [`custom.${name}`, value]),
  ]);
}

test('each item changes the fields that the alert shows otherwise with it, across any number of pages', () => {
  // An update opens no alert.
  const itemsOfAlert = sortedItemsOf(fc.constantFrom('firing', 'update')).map((items) =>
    items.filter(
      (item, index) =>
        item.status === 'firing' || items.slice(0, index).some(({ status }) => status === 'firing'),
    ),
  );
  fc.assert(
    fc.property(itemsOfAlert, fc.func(fc.boolean()), (items, isPageEnd) => {
      let shown = new ShownValues();
      for (const [index, item] of items.entries()) {
        const [before, after] = [shownBy(items.slice(0, index)), shownBy(items.slice(0, index + 1))];
        const names = [...new Set([...before.keys(), ...after.keys()])];
        const expected = names.filter((name) => before.get(name) !== after.get(name));
        expect(shown.add(item).sort()).toEqual(expected.sort());
        if (!isPageEnd(index)) continue;
        expect(shown.toString()).toMatch(SHOWN_VALUES);
        shown = new ShownValues(shown.toString());
      }
    }),
  );
});

test('the text of all fields that an alert may have fits into a cursor', () => {
  const shown = new ShownValues();
  const names = Array.from({ length: 150 }, (_, n) => `field${n}`);
  const item: SeriesItem = {
    receivedAt: 1,
    id: '',
    status: 'firing',
    origin: 'event',
    silentSince: null,
    occurrence: null,
    final: false,
    revision: 1,
    eventCount: 1,
    values: ALERT_FIELDS.map(() => 'x'.repeat(10_000)),
    ranks: ranksOf('2222222', names.map((name) => `"${name}":2`).join()),
    custom: Object.fromEntries(names.map((name) => [name, name])),
    errors: [],
    resolution: null,
  };
  expect(shown.add(item)).toHaveLength(120);
  expect(shown.toString()).toMatch(SHOWN_VALUES);
  expect(JSON.stringify(shown.toString()).length).toBeLessThan(2_000);
});
