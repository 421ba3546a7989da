import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from 'uuidv7';
import { excerpt } from '../../../api/routes/alerts/excerpt.js';
import { decodePlaces, encodePlaces, PLACES } from '../../../api/routes/alerts/place-text.js';
import { MAX_PLACES, type ShownChange, ShownValues } from '../../../api/routes/alerts/shown-values.js';
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
        const expected = names
          .map((field) => ({ field, before: before.get(field) ?? null, after: after.get(field) ?? null }))
          .filter((change) => change.before !== change.after);
        expect(byField(shown.add(item))).toEqual(byField(expected));
        if (!isPageEnd(index)) continue;
        const text = encodePlaces(shown.places);
        expect(text).toMatch(PLACES);
        shown = new ShownValues();
        for (const { id } of decodePlaces(text)) shown.add(items.find((one) => one.id === id) as SeriesItem);
      }
    }),
  );
});

const byField = (changes: readonly ShownChange[]): ShownChange[] =>
  [...changes].sort((one, other) => (one.field < other.field ? -1 : 1));

test('the places of all items that an alert may show something of fit into a cursor', () => {
  const shown = new ShownValues();
  for (let number = 0; number < 107; number++) {
    const name = `field${number}`;
    shown.add({
      receivedAt: Date.UTC(2026, 0, 1) + number,
      id: uuidv7(),
      status: 'firing',
      origin: 'event',
      silentSince: null,
      occurrence: null,
      final: false,
      revision: 1,
      eventCount: 1,
      values: ALERT_FIELDS.map(() => 'x'.repeat(10_000)),
      ranks: ranksOf('2222222', `"${name}":2`),
      custom: { [name]: name },
      errors: [],
      resolution: null,
    });
  }
  const text = encodePlaces(shown.places);
  expect(text).toMatch(PLACES);
  expect(decodePlaces(text)).toEqual(shown.places);
  expect(shown.places).toHaveLength(MAX_PLACES);
  const cursor = JSON.stringify([2, 'x'.repeat(64), [new Date().toISOString(), uuidv7(), text]]);
  expect(Buffer.from(cursor).toString('base64url').length).toBeLessThan(4_000);
});

test('of long texts, an excerpt shows what is around the first difference', () => {
  const change = (before: string | null, after: string | null) => excerpt({ field: 'title', before, after });
  const long = 'a'.repeat(1_000);
  expect(change('warning', 'critical')).toEqual({ field: 'title', before: 'warning', after: 'critical' });
  expect(change(null, long)).toEqual({ field: 'title', before: null, after: `${'a'.repeat(254)}…` });
  const lead = `…${'a'.repeat(40)}`;
  expect(change(`${long}1`, `${long}2${long}`)).toEqual({
    field: 'title',
    before: `${lead}1`,
    after: `${lead}2${'a'.repeat(213)}…`,
  });
  // Both emoji start with the same half, so the excerpt would start with the other half of one.
  const smile = '😀'.repeat(300);
  expect(change(`${smile}😀`, `${smile}😁`).before).toBe(`…${'😀'.repeat(20)}`);
});
