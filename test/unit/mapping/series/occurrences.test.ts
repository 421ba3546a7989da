import { expect, test } from '@jest/globals';
import {
  foldItems,
  type ItemOutcome,
  type Mapping,
  mappingWarnings,
  NO_ITEMS,
  toSeriesItem,
} from '../../../../workers/mapping/index.js';
import { compiled, only, run } from '../mapping.js';

const FIELDS = {
  title: { template: '{{webhook.title}}' },
  severity: { template: '{{webhook.severity}}' },
  team: { template: '{{webhook.team}}' },
  dedupKey: { template: 'k' },
  status: {
    template: '{{webhook.s}}',
    values: { create: 'firing', close: 'resolved', reopen: 'reopened', note: 'update' },
  },
  occurrence: { template: '{{webhook.at}}' },
};

/** Folds payloads of one key. A payload may be written as its status and its occurrence. */
function fold(payloads: (object | string)[], mapping: Mapping = { fields: FIELDS }) {
  const items = payloads.map((payload, index) => {
    const [s, at] = typeof payload === 'string' ? payload.split(' ') : [];
    const alert = only(run(mapping, typeof payload === 'string' ? { s, at } : payload));
    const { status } = alert.series as NonNullable<typeof alert.series>;
    return toSeriesItem(alert, { receivedAt: index, id: String(index) }, { status, revision: 1 });
  });
  return foldItems(NO_ITEMS, items);
}

const outcomesOf = (payloads: string[], mapping?: Mapping): ItemOutcome[] =>
  fold(payloads, mapping).outcomes.map(({ outcome }) => outcome);

test.each<[string, string[], ItemOutcome[]]>([
  ['a repetition of what is over', ['create 1', 'close 1', 'create 1'], ['opened', 'resolved', 'outdated']],
  ['an older run', ['close 312', 'create 311'], ['nothing_to_resolve', 'outdated']],
  ['a newer run', ['close 312', 'create 313'], ['nothing_to_resolve', 'opened']],
  ['a late end', ['create 2', 'close 1', 'close 2'], ['opened', 'outdated', 'resolved']],
  [
    'an end without a value',
    ['create 1', 'close', 'create 1', 'create 2'],
    ['opened', 'resolved', 'outdated', 'opened'],
  ],
  [
    'a late end that was outdated',
    ['create 3', 'close 2', 'create 1', 'close 3'],
    ['opened', 'outdated', 'outdated', 'resolved'],
  ],
  [
    'an item without a value',
    ['create 1', 'close 1', 'create', 'close'],
    ['opened', 'resolved', 'opened', 'resolved'],
  ],
  [
    'a number and a time',
    ['create 9', 'close 9', 'create 2026-03-01T08:00:00Z'],
    ['opened', 'resolved', 'opened'],
  ],
  [
    'a word that reopens',
    ['create 2', 'close 2', 'reopen 2', 'create 2', 'create 1', 'close 2', 'create 2'],
    ['opened', 'resolved', 'opened', 'updated', 'outdated', 'resolved', 'outdated'],
  ],
  ['a late word that reopens', ['create 2', 'close 2', 'reopen 1'], ['opened', 'resolved', 'outdated']],
  [
    'news',
    ['note 1', 'create 1', 'note 1', 'close 1', 'note 1', 'note 2'],
    ['nothing_to_update', 'opened', 'updated', 'resolved', 'nothing_to_update', 'nothing_to_update'],
  ],
])('%s', (_, payloads, outcomes) => {
  expect(outcomesOf(payloads)).toEqual(outcomes);
});

test.each<[string, string[], ItemOutcome[]]>([
  [
    'a firing event after the end',
    ['create', 'close', 'create', 'reopen', 'create'],
    ['opened', 'resolved', 'outdated', 'opened', 'updated'],
  ],
  ['a firing event that the end overtook', ['close', 'create'], ['nothing_to_resolve', 'outdated']],
  ['a newer occurrence', ['create 1', 'close 1', 'create 2'], ['opened', 'resolved', 'outdated']],
])('where a key is one problem for ever: %s', (_, payloads, outcomes) => {
  expect(outcomesOf(payloads, { final: true, fields: FIELDS })).toEqual(outcomes);
});

test('an item that changes no alert gives no occurrence', () => {
  const { state } = fold(['create 1', 'close 1']);
  const alert = only(run({ fields: FIELDS }, { s: 'create', at: 1 }));
  const item = toSeriesItem(alert, { receivedAt: 9, id: '9' }, { status: 'firing', revision: 1 });
  expect(foldItems(state, [item]).occurrences).toEqual([]);
});

test('an update counts, and fills only what no firing event has filled', () => {
  const { occurrences } = fold([
    { s: 'create', title: 'Disk full', severity: 'critical' },
    { s: 'note', title: 'A comment', severity: 'info', team: 'storage' },
    { s: 'note', title: 'Another comment' },
  ]);
  const [alert] = occurrences;
  expect(alert).toMatchObject({ eventCount: 3 });
  const own = alert?.providers?.own.map(({ values }, field) => values[field]);
  expect([own?.[0], own?.[1], own?.[6]]).toEqual(['Disk full', 'critical', 'storage']);
});

test('a test stands alone, whatever its key', () => {
  const alert = only(run({ fields: FIELDS }, { s: 'test', at: 1 }));
  expect(alert.series).toBeNull();
  expect(alert.fields.status).toMatchObject({ value: 'test', warnings: [] });
});

test('a text that does not compare gives a warning and leaves the event without an occurrence', () => {
  const alert = only(run({ fields: FIELDS }, { s: 'create', at: 'v1.2' }));
  expect(alert.series?.occurrence).toBeNull();
  expect(alert.fields.occurrence?.warnings).toMatchObject([
    { code: 'occurrence_not_comparable', value: 'v1.2' },
  ]);
  expect(only(run({ fields: FIELDS }, { s: 'create' })).fields.occurrence?.warnings).toEqual([]);
});

test('without a key, occurrences and `final` have no effect', () => {
  const { dedupKey: _, ...fields } = FIELDS;
  const codes = mappingWarnings(compiled({ final: true, fields })).map(({ code }) => code);
  expect(codes).toEqual([
    'status_without_dedup_key',
    'occurrence_without_dedup_key',
    'final_without_dedup_key',
  ]);
});
