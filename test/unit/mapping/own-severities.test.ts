import { expect, test } from '@jest/globals';
import { RANKED_SEVERITIES, rankBelow, rankOf } from '../../../db/events/alerts/severity-rank.js';
import { SEVERITIES, severityRank } from '../../../workers/mapping/definition/severities.js';
import {
  foldItems,
  NO_ITEMS,
  ownRankOf,
  ranksOf,
  type SeriesItem,
  severityOf,
} from '../../../workers/mapping/index.js';
import { compiled, errorsOf, only, run } from './mapping.js';

const RANKS = [
  { word: 'P1', as: 'critical' },
  { word: 'P2', as: 'error' },
  { word: 'P3', as: 'error' },
] as const;
const MAPPING = { fields: { severity: { template: '{{webhook.s}}', ranks: [...RANKS] } } };

test.each([
  ['P1', 400],
  ['P2', 300],
  ['p3', 299],
  ['P4', null],
  ['critical', null],
])('a mapping gives %s the rank %s', (word, rank) => {
  expect(ownRankOf(compiled(MAPPING), word)).toBe(rank);
});

test('the tables rank the built-in words as the fold does, and the first own word like the built-in one', () => {
  expect(RANKED_SEVERITIES).toEqual(SEVERITIES);
  for (const severity of SEVERITIES) {
    expect(rankOf({ severity })).toBe(severityRank(severity));
    const ranks = Array.from({ length: 50 }, (_, number) => ({ word: `w${number}`, as: severity }));
    const own = ranks.map(({ word }) =>
      ownRankOf(compiled({ fields: { severity: { template: 'x', ranks } } }), word),
    ) as number[];
    expect(own[0]).toBe(severityRank(severity));
    expect(Math.min(...own)).toBeGreaterThan(rankBelow(severity));
  }
});

test('a ranked word has one spelling, and needs neither an entry in the value map nor the default', () => {
  const { severity } = only(run(MAPPING, { s: 'p2' })).fields;
  expect(severity).toMatchObject({ value: 'P2', result: 'resolved', warnings: [] });
  const fields = { severity: { ...MAPPING.fields.severity, values: { high: 'p1' }, default: 'p3' } };
  expect(only(run({ fields }, { s: 'HIGH' })).fields.severity.value).toBe('P1');
  expect(only(run({ fields }, { s: 'odd' })).fields.severity).toMatchObject({
    value: 'P3',
    result: 'defaulted',
  });
});

test('only words without a rank of their own may be ranked, each once, and only of the severity', () => {
  const ranks = [
    { word: 'Critical', as: 'info' },
    { word: 'P1', as: 'error' },
    { word: ' p1', as: 'error' },
  ];
  expect(errorsOf({ fields: { severity: { template: 'x', ranks } } })).toMatchObject([
    { field: 'fields.severity.ranks.0.word', code: 'invalid_mapping' },
    { field: 'fields.severity.ranks.2.word', code: 'repeated_value' },
  ]);
  expect(errorsOf({ fields: { team: { template: 'x', ranks: [] } } })).toMatchObject([
    { field: 'fields.team', code: 'invalid_mapping' },
  ]);
  const blank = [{ word: ' ', as: 'error' }];
  expect(errorsOf({ fields: { severity: { ranks: blank } } })).toMatchObject([
    { field: 'fields.severity.ranks.0.word', code: 'invalid_mapping' },
  ]);
});

test('the peak of an alert is its most severe severity by the ranks of the mapping', () => {
  const item = (minute: number, severity: string): SeriesItem => ({
    receivedAt: minute * 60_000,
    id: `00000000-0000-7000-8000-00000000000${minute}`,
    status: 'firing',
    origin: 'event',
    silentSince: null,
    occurrence: null,
    final: false,
    revision: 1,
    eventCount: 1,
    values: [null, severity, null, null, null, null, null],
    ownRank: ownRankOf(compiled(MAPPING), severity),
    ranks: ranksOf('0200000', ''),
    custom: {},
    errors: [],
    resolution: null,
  });
  const peakOf = (...severities: string[]) => {
    const items = severities.map((severity, minute) => item(minute, severity));
    const [alert] = foldItems(NO_ITEMS, items).occurrences;
    return alert && severityOf(alert.peak);
  };
  expect(peakOf('P3', 'P2', 'P1', 'error')).toBe('P1');
  expect(peakOf('warning', 'P3', 'P2', 'P9')).toBe('P2');
  expect(peakOf('P9', 'warning')).toBe('warning');
});
