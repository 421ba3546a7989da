import { describe, expect, test } from '@jest/globals';
import type { FieldMapping, Mapping } from '../../../workers/mapping/definition/schema.js';
import { isPlaceholder } from '../../../workers/mapping/values/placeholder.js';
import { only, run, title } from './mapping.js';

const WORDS = [
  '<no value>',
  '<nil>',
  '%!s(<nil>)',
  '%!d(<nil>)',
  'undefined',
  'null',
  'NULL',
  '(null)',
  'None',
  '<none>',
  'nil',
  'N/A',
  '#N/A',
  'n.a.',
  '[no value]',
  '*UNKNOWN*',
  '<MISSING VALUE>',
  '[object Object]',
  '-- UNDEFINED --',
  '"null"',
  '[]',
  ' null ',
];

const PLACEHOLDER = (value: string) => ({
  code: 'placeholder',
  message: `the sender wrote ${value} in place of a value`,
  value,
});

/** Maps a payload with a field as the key and as the title. */
function map(field: FieldMapping, payload: unknown) {
  const { fields, series } = only(run({ fields: { title: field, dedupKey: field } }, payload));
  return { title: fields.title, key: fields.dedupKey, series };
}

const TWO_TAGS = { template: '{{webhook.host}}/{{webhook.check}}' };

describe.each(WORDS)('%j', (word) => {
  test('gives no key and no value, with a warning that names it', () => {
    const { title, key, series } = map({ template: '{{webhook.id}}' }, { id: word });
    expect(series).toBeNull();
    expect(title).toMatchObject({ value: null, result: 'missing', missing: [{ path: 'webhook.id' }] });
    expect(title.warnings).toEqual([PLACEHOLDER(word.trim())]);
    expect(key?.warnings.map(({ code }) => code)).toEqual(['placeholder', 'missing_dedup_key']);
  });

  test('gives no key as a part of it', () => {
    expect(map(TWO_TAGS, { host: word, check: 'disk' }).series).toBeNull();
    expect(map(TWO_TAGS, { host: 'db-1', check: word }).series).toBeNull();
  });
});

test.each([
  '0',
  'false',
  'no',
  'unknown',
  'missing',
  'nullable',
  'none of them',
  'NaN',
  '-',
  'node-1',
  'n/a/b',
])('%j is a value', (word) => {
  expect(title('{{webhook.x}}', { x: word })).toMatchObject({
    value: word,
    result: 'resolved',
    warnings: [],
  });
});

test.each(['NaN', '-', '--'])('%j identifies no problem', (word) => {
  expect(map({ template: '{{webhook.id}}' }, { id: word })).toMatchObject({
    title: { value: word, warnings: [] },
    series: null,
  });
});

describe('in other fields', () => {
  test('the default replaces a placeholder', () => {
    const result = title('{{webhook.x}}', { x: '<no value>' }, { default: 'none given' });
    expect(result).toMatchObject({ value: 'none given', result: 'defaulted' });
    expect(result.warnings).toEqual([PLACEHOLDER('<no value>')]);
  });

  test('a first-of takes the next path, without a warning', () => {
    const result = title('{{webhook.a|webhook.b}}', { a: 'null', b: 'disk' });
    expect(result).toMatchObject({ value: 'disk', result: 'resolved', absent: ['webhook.a'], warnings: [] });
  });

  test('a section over one is false, and its inverse true', () => {
    const template = '{{#webhook.a}}a: {{.}}{{/webhook.a}}{{^webhook.a}}no a{{/webhook.a}}';
    expect(title(template, { a: 'None' }).value).toBe('no a');
  });

  test('a tag in a section finds nothing', () => {
    const template = 'disk{{#webhook.labels}} on {{host}}{{/webhook.labels}}';
    expect(title(template, { labels: { host: 'undefined' } }).value).toBe('disk');
  });

  test('the error of a required field names the word', () => {
    const fields = { severity: { template: '{{webhook.sev}}' } };
    expect(only(run({ fields }, { sev: '<nil>' })).faults[0]?.message).toBe(
      'severity: webhook.sev has no value: the sender wrote <nil> in place of a value',
    );
  });

  test('a text that contains one among other words is a value', () => {
    expect(title('{{webhook.x}}', { x: 'the pointer is null' }).value).toBe('the pointer is null');
  });
});

describe('a value map that names the word allows it', () => {
  test.each<[string, FieldMapping, unknown, string]>([
    ['alone', { template: '{{webhook.s}}', values: { none: 'info' } }, { s: 'None' }, 'info'],
    [
      'as a part of a text',
      { template: '{{webhook.state}}/{{webhook.s}}', values: { 'resolve/none': 'info' } },
      { s: 'none', state: 'resolve' },
      'info',
    ],
    ['in one tag of several', { ...TWO_TAGS, values: { null: 'x' } }, { host: 'null', check: 'a' }, 'null/a'],
  ])('%s', (_, field, payload, value) => {
    const { title, series } = map(field, payload);
    expect(title).toMatchObject({ value, result: 'resolved' });
    expect(series?.dedupKey).toBe(value);
  });
});

describe('in an expression', () => {
  const value = (expression: string, payload: unknown) => map({ expression }, payload);

  test.each([
    ['a path', 'webhook.host', null],
    ['a concatenation', 'webhook.host + "/" + webhook.check', null],
    ['an element of a list', 'webhook.list[0]', null],
    ['a part of a text', 'webhook.pair.split("/")[0]', null],
    ['first', 'first(webhook.host, webhook.list[0], webhook.check)', 'disk'],
    ['has', 'has(webhook.host) ? webhook.host : webhook.check', 'disk'],
    [
      'a text in the expression that is the word',
      'webhook.host == "null" ? "all hosts" : webhook.host',
      'all hosts',
    ],
  ])('%s', (_, expression, expected) => {
    const payload = { host: 'null', check: 'disk', list: ['undefined'], pair: 'None/disk' };
    const { title, series } = value(expression, payload);
    expect(title.value).toBe(expected);
    expect(series?.dedupKey ?? null).toBe(expected);
    if (expected === null) expect(title.warnings).toMatchObject([{ code: 'placeholder' }]);
  });

  test('a filter reads texts as they are', () => {
    const mapping: Mapping = { filter: 'webhook.host.startsWith("nu")', fields: {} };
    expect(run(mapping, { host: 'null' })).toMatchObject({ eventState: 'normalized', warnings: [] });
    expect(run(mapping, { host: 'db' }).eventState).toBe('filtered');
  });
});

test('every length and first character of the words is found', () => {
  for (const word of WORDS) expect(isPlaceholder(word)).toBe(true);
  expect(isPlaceholder('')).toBe(false);
  expect(isPlaceholder('é'.repeat(40))).toBe(false);
});
