import { expect, test } from '@jest/globals';
import { compileMapping, type Mapping, normalize } from '../../../../workers/mapping/index.js';
import { bytes, compiled, errorsOf, only, run } from '../mapping.js';

const field = (field: NonNullable<Mapping['fields']['severity']>, payload: unknown) =>
  only(normalize(compiled({ fields: { severity: field } }), bytes(payload)));

const severity = (
  expression: string,
  payload: unknown,
  rest: { default?: string; values?: Record<string, string> } = {},
) => field({ expression, ...rest }, payload).fields.severity;

test.each([
  ['webhook.value > 90 ? "critical" : "info"', 'critical'],
  ['webhook.value', '95.5'],
  ['webhook.id', '12345678901234567890'],
  ['webhook.on', 'false'],
  ['webhook.zero', '0'],
  ['webhook.labels', '{"team":"db"}'],
  ['webhook.tags', 'a, b'],
  ['webhook.tags.map(t, t + "!")', 'a!, b!'],
  ['timestamp(webhook.at)', '2026-11-22T07:00:00Z'],
  ['" text "', 'text'],
])('%s is written as text', (expression, value) => {
  const payload = `{"value": 95.5, "id": 12345678901234567890, "on": false, "zero": 0, "labels": {"team": "db"},
    "tags": ["a", "b"], "at": "2026-11-22T07:00:00Z"}`;
  const result = only(normalize(compiled({ fields: { title: { expression } } }), payload)).fields.title;
  expect(result).toMatchObject({ value, result: 'resolved', missing: [], warnings: [] });
});

test('the value map and the limit of the length apply', () => {
  const values = { high: 'critical' };
  expect(severity('webhook.a', { a: 'HIGH' }, { values })).toMatchObject({ value: 'critical' });
  expect(severity('webhook.a', { a: 'low' }, { values })).toMatchObject({
    value: 'low',
    warnings: [{ code: 'unmapped_value', value: 'low' }],
  });
  const { title } = only(
    run({ fields: { title: { expression: 'webhook.a' } } }, { a: 'x'.repeat(300) }),
  ).fields;
  expect(title).toMatchObject({ warnings: [{ code: 'cut' }] });
});

test('a missing path is named as the expression has it, with the path that was probably meant', () => {
  const result = severity('webhook.labels.sevrity.lowerAscii()', { labels: { severity: 'HIGH' } });
  expect(result).toMatchObject({
    value: null,
    result: 'missing',
    paths: ['webhook.labels.sevrity'],
    missing: [{ path: 'webhook.labels.sevrity', nearest: 'webhook.labels.severity' }],
  });
  const deeper = severity('webhook.label.severity', { labels: { severity: 'HIGH' } });
  expect(deeper.missing).toMatchObject([
    { path: 'webhook.label.severity', nearest: 'webhook.labels.severity' },
  ]);
  expect(severity('webhook.list.map(e, e.name)', { list: [{}] }).missing).toEqual([
    { path: 'e.name', nearest: null },
  ]);
});

test.each([[null], [' '], [[]], [{}]])('%j is missing', (a) => {
  expect(severity('webhook.a', { a })).toMatchObject({ value: null, missing: [{ path: 'webhook.a' }] });
  expect(severity('webhook.a', { a }, { default: 'low' })).toMatchObject({
    value: 'low',
    result: 'defaulted',
  });
});

test('an error with a payload keeps the alert, and the field says where and why it failed', () => {
  const alert = field({ expression: 'webhook.a + 1' }, { a: 'text' });
  const message =
    'the expression failed at line 1, column 11: + cannot be applied to string and int; it reads webhook.a';
  expect(alert.fields.severity).toMatchObject({
    value: null,
    result: 'missing',
    paths: ['webhook.a'],
    warnings: [{ code: 'expression_error', message }],
  });
  expect(alert.state).toBe('incomplete');
  expect(alert.faults[0]).toEqual({ code: 'missing', field: 'severity', message: `severity: ${message}` });
  expect(severity('webhook.a + 1', { a: 'text' }, { default: 'low' })).toMatchObject({
    value: 'low',
    result: 'defaulted',
    warnings: [{ code: 'expression_error' }],
  });
});

test('an alert is complete if only a field that is not required has an error', () => {
  const ok = { template: 'x' };
  const mapping = {
    fields: { severity: ok, description: ok, source: ok, title: { expression: 'webhook.a + 1' } },
  };
  const alert = only(normalize(compiled(mapping), bytes({ a: 'text' })));
  expect(alert).toMatchObject({ state: 'complete', faults: [], fields: { title: { value: null } } });
});

test('a split evaluates an expression for each item, and once if it does not read the item', () => {
  const mapping = compiled({
    split: 'list',
    fields: { title: { expression: 'item.n * 2' }, source: { expression: 'webhook.by' } },
    custom: { event: { expression: 'request.headers["x-event"]' } },
  });
  const request = { method: 'POST', contentType: null, query: {}, headers: { 'x-event': 'push' } };
  const { alerts } = normalize(mapping, bytes({ by: 'me', list: [{ n: 1 }, { n: 2 }] }), request);
  expect(
    alerts.map(({ fields, custom }) => [fields.title.value, fields.source.value, custom.event?.value]),
  ).toEqual([
    ['2', 'me', 'push'],
    ['4', 'me', 'push'],
  ]);
});

test('errors of expressions are reported all at once with their positions, next to those of templates', () => {
  const result = compileMapping({
    fields: {
      title: { expression: 'webhook.a ==\n  foo' },
      source: { template: '{{webhook.a', default: 'x' },
      team: { template: 'a', expression: '"b"' },
    },
    custom: { zone: { expression: 'webhook.a.toUpperCase() + 1' } },
  });
  expect('errors' in result && result.errors).toMatchObject([
    { field: 'fields.title.expression', code: 'unknown_name', line: 2, column: 3, offset: 15 },
    { field: 'fields.source.template', code: 'unclosed_tag' },
    {
      field: 'fields.team.expression',
      code: 'invalid_mapping',
      message: 'a field has a template or an expression, not both',
    },
    { field: 'custom.zone.expression', code: 'unknown_function', line: 1, column: 10 },
  ]);
});

test('limits the expressions of a mapping', () => {
  const expression = `"${'a'.repeat(2_000)}"`;
  const custom = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`f${i}`, { expression }]));
  expect(errorsOf({ fields: {}, custom })).toMatchObject([
    { field: 'custom.f8.expression', code: 'expressions_too_long' },
  ]);
});
