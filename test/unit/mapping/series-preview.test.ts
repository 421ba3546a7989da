import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type DatedObservation, previewSeries } from '../../../workers/mapping/index.js';
import { foldItems, NO_ITEMS } from '../../../workers/mapping/series/fold.js';
import { readRanks } from '../../../workers/mapping/series/ranks.js';
import { compiled, run } from './mapping.js';

const MAPPING = {
  split: 'alerts',
  fields: {
    title: { template: '{{item.name}}' },
    dedupKey: { template: '{{item.id}}' },
    status: { template: '{{item.status}}' },
  },
};

type Item = { id?: string; status?: string; name?: string };

/** Returns the observations of events, given oldest first. */
const observe = (events: readonly Item[][], mapping = MAPPING): DatedObservation[] =>
  events
    .map((alerts, number) => ({
      eventId: `e${number}`,
      receivedAt: new Date(number * 1_000).toISOString(),
      normalized: run(mapping, { alerts }),
    }))
    .toReversed();

const preview = (...events: Item[][]) => previewSeries(compiled(MAPPING), observe(events));

test('events with the same key become one alert, until one resolves it', () => {
  const result = preview(
    [{ id: 'disk', status: 'down', name: 'Disk full' }],
    [{ id: 'disk', status: 'down' }],
    [
      { id: 'disk', status: 'ok' },
      { id: 'net', status: 'down', name: 'Net' },
    ],
    [{ id: 'disk', status: 'down', name: 'Disk full again' }],
    [{ status: 'down' }],
    [{ id: 'cpu', status: 'ok' }],
  );
  expect(result).toMatchObject({
    items: 7,
    keyed: 6,
    outcomes: {
      opened: 3,
      updated: 1,
      resolved: 1,
      nothing_to_resolve: 1,
      nothing_to_update: 0,
      outdated: 0,
    },
    alerts: 4,
    firing: 2,
    seriesCount: 3,
  });
  expect(result?.series[0]).toEqual({
    dedupKey: 'disk',
    title: 'Disk full again',
    status: 'firing',
    alertCount: 2,
    itemCount: 4,
    items: [
      ['e0', 0, 'firing', 'opened'],
      ['e1', 0, 'firing', 'updated'],
      ['e2', 0, 'resolved', 'resolved'],
      ['e3', 0, 'firing', 'opened'],
    ].map(([eventId, item, status, outcome]) => ({
      eventId,
      item,
      receivedAt: `1970-01-01T00:00:0${String(eventId).slice(1)}.000Z`,
      status,
      outcome,
    })),
  });
  expect(result?.series.map(({ dedupKey, status }) => [dedupKey, status])).toEqual([
    ['disk', 'firing'],
    ['net', 'firing'],
    ['cpu', 'resolved'],
  ]);
});

test('a mapping without a deduplication key has no series', () => {
  const { dedupKey, ...fields } = MAPPING.fields;
  const mapping = { ...MAPPING, fields };
  expect(previewSeries(compiled(mapping), [])).toBeNull();
});

test('the list is bounded, and its counts are not', () => {
  const events = Array.from({ length: 30 }, (_, number) => [
    { id: 'often', status: 'down' },
    ...Array.from({ length: 10 }, (_, other) => ({ id: `${number}-${other}`, status: 'down' })),
  ]);
  const result = preview(...events);
  expect(result).toMatchObject({ keyed: 330, seriesCount: 301, firing: 301, alerts: 301 });
  expect(result?.series).toHaveLength(50);
  expect(result?.series[0]).toMatchObject({ dedupKey: 'often', itemCount: 30 });
  expect(result?.series[0]?.items).toHaveLength(20);
  expect(result?.series[0]?.items.at(-1)).toMatchObject({ eventId: 'e29' });
});

test('the outcomes equal those of the fold that the workers use', () => {
  const item = fc.record({ id: fc.constantFrom('a', 'b'), status: fc.constantFrom('down', 'ok') });
  fc.assert(
    fc.property(fc.array(fc.array(item, { maxLength: 3 }), { maxLength: 8 }), (events) => {
      const found = new Map(preview(...events)?.series.map((one) => [one.dedupKey, one]));
      for (const key of ['a', 'b']) {
        const items = events.flatMap((alerts, receivedAt) =>
          alerts.flatMap(({ id, status }, number) =>
            id === key ? [seriesItem(`${receivedAt}-${number}`, receivedAt, status)] : [],
          ),
        );
        const { outcomes, occurrences } = foldItems(NO_ITEMS, items);
        expect(found.get(key)?.items.map(({ outcome }) => outcome) ?? []).toEqual(
          outcomes.map(({ outcome }) => outcome),
        );
        expect(found.get(key)?.alertCount ?? 0).toBe(occurrences.length);
      }
    }),
  );
});

const seriesItem = (id: string, receivedAt: number, word: string) => ({
  id,
  receivedAt,
  status: word === 'ok' ? ('resolved' as const) : ('firing' as const),
  origin: 'event' as const,
  silentSince: null,
  occurrence: null,
  final: false,
  revision: 1,
  eventCount: 1,
  values: [],
  ranks: readRanks(''),
  custom: {},
  errors: [],
  resolution: null,
});
