import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  foldItems,
  isWithin,
  type Mapping,
  noItemsOf,
  normalize,
  type Occurrence,
  repeatWindowMs,
  type SeriesItem,
  withItem,
} from '../../../../workers/mapping/index.js';
import { repeatKey } from '../../../../workers/mapping/series/repeat-key.js';
import type { EventRequest } from '../../../../workers/mapping/values/request.js';
import { bytes, compiled, only, run } from '../mapping.js';
import { sortedItems } from './series-items.js';

const COUNTED: Mapping = {
  fields: { title: { template: '{{webhook.name}}' } },
  repeatWindowSeconds: 300,
};
const keyOf = (payload: unknown, mapping: Mapping = COUNTED) => only(run(mapping, payload)).series?.dedupKey;

test('identical bodies have the same key, which no payload can have', () => {
  const key = keyOf({ name: 'disk' });
  expect(key).toMatch(/^ repeat:300:[\w-]{43}:0$/);
  expect(keyOf({ name: 'disk' })).toBe(key);
  expect(keyOf(Buffer.from('{"name": "disk"}'))).not.toBe(key);
  expect(keyOf({ name: 'disk' }, { ...COUNTED, repeatWindowSeconds: 60 })).not.toBe(key);
  const forged: Mapping = { fields: { dedupKey: { template: '{{webhook.key}}' } } };
  expect(repeatWindowMs(keyOf({ key }, forged) as string)).toBeNull();
});

test.each<[string, Mapping, unknown]>([
  ['the setting is off', { fields: COUNTED.fields }, { name: 'disk' }],
  ['the setting is null', { ...COUNTED, repeatWindowSeconds: null }, { name: 'disk' }],
  ['it is a recovery', { ...COUNTED, fields: { status: { template: '{{webhook.s}}' } } }, { s: 'ok' }],
  ['it is a test', { ...COUNTED, fields: { status: { template: '{{webhook.s}}' } } }, { s: 'test' }],
  ['it is news', { ...COUNTED, fields: { status: { template: '{{webhook.s}}' } } }, { s: 'update' }],
])('an event without a key stands alone if %s', (_, mapping, payload) => {
  expect(keyOf(payload, mapping)).toBeUndefined();
});

test('an event with a key keeps it, and one that lacks it is counted with a warning', () => {
  const mapping: Mapping = { ...COUNTED, fields: { dedupKey: { template: '{{webhook.id}}' } } };
  expect(keyOf({ id: 'a' }, mapping)).toBe('a');
  const alert = only(run(mapping, { name: 'disk' }));
  expect(alert.series?.dedupKey).toMatch(/^ repeat:/);
  expect(alert.fields.dedupKey?.warnings.map(({ code }) => code)).toEqual(['missing_dedup_key']);
});

test('identical items of one event have keys of their own, which a filter does not change', () => {
  const mapping: Mapping = { ...COUNTED, split: 'list' };
  const payload = { list: [{ a: 1 }, { a: 1 }, { a: 2 }] };
  const keys = run(mapping, payload).alerts.map(({ series }) => series?.dedupKey);
  expect(new Set(keys).size).toBe(3);
  const filtered = run({ ...mapping, filter: 'item.a == 2' }, payload).alerts;
  expect(filtered.map(({ series }) => series?.dedupKey)).toEqual([keys[2]]);
});

test('the request counts as far as the mapping reads it, and an event with a delivery id does not', () => {
  const request = (env: string, attempt: string): EventRequest => ({
    method: 'POST',
    contentType: null,
    query: { env },
    headers: { 'x-retry': attempt },
  });
  const key = (mapping: Mapping, ...[env, attempt, body]: [string, string, null?]) =>
    only(normalize(compiled(mapping), bytes({}), request(env, attempt), body)).series?.dedupKey;
  expect(key(COUNTED, 'a', '1')).toBe(key(COUNTED, 'b', '2'));
  const reads = { ...COUNTED, fields: { environment: { template: '{{request.query.env}}' } } };
  expect(key(reads, 'a', '1')).toBe(key(reads, 'a', '2'));
  expect(key(reads, 'a', '1')).not.toBe(key(reads, 'b', '1'));
  expect(key(COUNTED, 'a', '1', null)).toBeUndefined();
});

const WINDOW_MS = 2;
const REPEATED = noItemsOf(repeatKey(WINDOW_MS / 1_000, 'content', 0));
/** Returns items that only fire, at times around several windows. */
const repetitions = sortedItems.map((items) =>
  items.map((item): SeriesItem => ({ ...item, status: 'firing' })),
);

/** Returns the ids of the items of each alert by the definition: an item opens one if it is later than the window after the last that did. */
function alertsOf(items: readonly SeriesItem[]): string[][] {
  const alerts: SeriesItem[][] = [];
  for (const item of items) {
    const first = alerts.at(-1)?.[0];
    if (first && item.receivedAt - first.receivedAt <= WINDOW_MS) alerts.at(-1)?.push(item);
    else alerts.push([item]);
  }
  return alerts.map((alert) => alert.map(({ id }) => id));
}

test('an item later than the window after the first one of an alert opens another', () => {
  fc.assert(
    fc.property(repetitions, fc.nat(14), (items, cut) => {
      const start = foldItems(REPEATED, items.slice(0, cut));
      const { outcomes } = foldItems(start.state, items.slice(cut));
      const found = new Map<string | null, string[]>();
      for (const { item, alertId } of [...start.outcomes, ...outcomes])
        found.set(alertId, [...(found.get(alertId) ?? []), item]);
      expect([...found.values()]).toEqual(alertsOf(items));
    }),
  );
});

test('an item within an alert may be added late, in any order', () => {
  fc.assert(
    fc.property(repetitions, fc.infiniteStream(fc.boolean()), (items, areLate) => {
      const [early, late] = [[] as SeriesItem[], [] as SeriesItem[]];
      for (const item of items) (areLate.next().value ? late : early).push(item);
      const [before, after] = [early, items].map((some) => foldItems(REPEATED, some).state.latest);
      fc.pre(before != null && late.every((item) => isWithin(item, before)));
      const added = late.reverse().reduce(withItem, before as Occurrence);
      expect([added.id, added.eventCount]).toEqual([after?.id, after?.eventCount]);
    }),
  );
});
