import { describe, expect, test } from '@jest/globals';
import {
  compare,
  foundPaths,
  type JsonValue,
  type Mapping,
  statistics,
} from '../../../workers/mapping/index.js';
import { compiled, run } from './mapping.js';

const mapping: Mapping = {
  split: 'alerts',
  fields: {
    severity: { template: '{{item.severity}}', values: { high: 'critical' }, default: 'warning' },
    description: { template: '{{item.text}} of {{webhook.host}}' },
    source: { template: 'Test' },
  },
  custom: { zone: { template: '{{item.zone}}' } },
};

/** Newest first. */
const events = [
  { eventId: 'e4', payload: { alerts: [{ severity: 'HIGH', text: 'a' }] } },
  { eventId: 'e3', payload: { alerts: [] } },
  { eventId: 'e2', payload: { alerts: [{ severity: 'odd', text: 'b' }, { text: 'c' }] } },
  { eventId: 'e1', payload: { host: 'web-1', alerts: [{ severity: 'odd', text: 'd', zone: 'b' }] } },
  { eventId: 'e0', payload: { host: 'web-1', alerts: Array(10_001).fill(1) } },
];

const observations = events.map(({ eventId, payload }) => ({ eventId, normalized: run(mapping, payload) }));

test('statistics count alerts, fields and unmapped values, and detect a vanished path', () => {
  const result = statistics(compiled(mapping), observations);
  expect(result).toMatchObject({ events: 5, failed: 1, alerts: 4, complete: 1 });
  expect(result.fields.severity).toEqual({
    resolved: 1,
    defaulted: 3,
    missing: 0,
    fillRate: 0.25,
    unmapped: [{ value: 'odd', count: 2 }],
    warnings: { unmapped_value: 2 },
  });
  expect(result.fields.description).toMatchObject({ resolved: 1, missing: 3, fillRate: 0.25 });
  expect(result.fields.team).toMatchObject({ missing: 4, fillRate: 0 });
  expect(result.vanished).toEqual([
    { field: 'description', path: 'webhook.host', lastSeen: 'e1', missingSince: 2 },
    { field: 'custom.zone', path: 'item.zone', lastSeen: 'e1', missingSince: 2 },
  ]);
});

test('statistics without events are empty', () => {
  expect(statistics(compiled(mapping), [])).toEqual({
    events: 0,
    failed: 0,
    alerts: 0,
    complete: 0,
    fields: {},
    vanished: [],
    filter: null,
  });
});

test('two mappings are compared alert by alert', () => {
  const payload = {
    host: 'web-1',
    alerts: [
      { severity: 'high', text: 'a' },
      { severity: 'high', text: 'b' },
    ],
  };
  const other: Mapping = {
    fields: {
      source: { template: 'Test' },
      severity: { default: 'info' },
      description: { template: '{{webhook.host}}' },
    },
  };
  expect(compare(run(mapping, payload), run(other, payload))).toEqual([
    {
      item: 0,
      before: 'complete',
      after: 'complete',
      changes: [
        { field: 'severity', before: 'critical', after: 'info' },
        { field: 'description', before: 'a of web-1', after: 'web-1' },
      ],
    },
    {
      item: 1,
      before: 'complete',
      after: null,
      changes: [
        { field: 'severity', before: 'critical', after: null },
        { field: 'description', before: 'b of web-1', after: null },
        { field: 'source', before: 'Test', after: null },
      ],
    },
  ]);
});

test('a path with substitutes counts as vanished, paths inside sections do not', () => {
  const template = '{{#webhook.a}}{{.}}{{/webhook.a}}{{^webhook.a}}{{webhook.b}}{{/webhook.a}}';
  const chain: Mapping = { fields: { title: { template } } };
  const payloads = [{ b: 1 }, { b: 1 }, { a: 1, b: 1 }, { a: 1 }];
  const observations = payloads.map((payload, i) => ({ eventId: `e${i}`, normalized: run(chain, payload) }));
  const { vanished } = statistics(compiled(chain), observations);
  expect(vanished).toEqual([{ field: 'title', path: 'webhook.a', lastSeen: 'e2', missingSince: 2 }]);
});

describe('paths of expressions and filters that vanish', () => {
  const vanishedOf = (mapping: Mapping, newestFirst: readonly JsonValue[]) => {
    const ready = compiled(mapping);
    return statistics(
      ready,
      newestFirst.map((payload, index) => ({
        eventId: `e${newestFirst.length - index}`,
        normalized: run(mapping, payload),
        found: foundPaths(ready, payload),
      })),
    ).vanished;
  };
  const severity = (expression: string): Mapping => ({ fields: { severity: { expression } } });

  test('are reported once, with the newest event that had them', () => {
    const mapping = { ...severity('webhook.a > 1.0 ? webhook.b : "low"'), filter: 'webhook.kind != "test"' };
    const whole = { a: 0, b: 'high', kind: 'alert' };
    expect(vanishedOf(mapping, [{ a: 0 }, { a: 0, kind: null }, whole, whole])).toEqual([
      { field: 'filter', path: 'webhook.kind', lastSeen: 'e2', missingSince: 2 },
      { field: 'severity', path: 'webhook.b', lastSeen: 'e2', missingSince: 2 },
    ]);
    expect(vanishedOf(mapping, [whole, {}])).toEqual([]);
  });

  test.each([
    'has(webhook.a) ? webhook.a : "none"',
    'has(webhook.a) && webhook.a.b == "x" ? "x" : "y"',
    'first(webhook.a, webhook.a.b, "none")',
    '[1, 2].exists(a, a > 1) ? "x" : "y"',
  ])('are not expected where the expression allows for them: %s', (expression) => {
    expect(vanishedOf(severity(expression), [{}, { a: { b: 'x' } }])).toEqual([]);
  });

  test('are looked up in each item of a split, and in JSON texts', () => {
    const mapping: Mapping = {
      split: 'list',
      expandJson: ['text'],
      fields: { severity: { expression: 'item.level' }, team: { expression: 'webhook.text.team' } },
    };
    const had = { list: [{}, { level: 'high' }], text: '{"team":"db"}' };
    expect(vanishedOf(mapping, [{ list: [{}], text: '{}' }, had])).toEqual([
      { field: 'severity', path: 'item.level', lastSeen: 'e1', missingSince: 1 },
      { field: 'team', path: 'webhook.text.team', lastSeen: 'e1', missingSince: 1 },
    ]);
    expect(vanishedOf(mapping, [had, had])).toEqual([]);
  });
});
