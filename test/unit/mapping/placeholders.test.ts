import { describe, expect, test } from '@jest/globals';
import type { FieldMapping, Mapping } from '../../../workers/mapping/definition/schema.js';
import { placeholderIn } from '../../../workers/mapping/values/placeholder.js';
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
  'null\u00a0',
  '\u200bnull\ufeff',
  '[null]',
  '[""]',
  '["null", null]',
  '{"name":null}',
  '{"name": {"first": "", "last": []}}',
  'NULL,NULL',
  'None/None',
  'n/a | N/A',
  '<nil>, <nil>',
  '[<nil> <nil>]',
  '[None, None]',
  '<NA>',
  '(NaN)',
  '#REF!',
  '#DIV/0!',
  '%!d(string=)',
  '%!v(MISSING)',
  '%!(NOVERB)',
  '%!s(*string=<nil>)',
  'map[host:<nil> check:<nil>]',
  'System.Object[]',
  '[object Undefined]',
  'java.lang.Object@1f2e3d',
];

/** How HTML and JSON write a word, and the word. */
const ENCODED = [
  ['&lt;no value&gt;', '<no value>'],
  ['&amp;lt;nil&amp;gt;', '<nil>'],
  ['&#60;nil&#x3e;', '<nil>'],
  ['&quot;null&quot;', '"null"'],
  ['\\u003cno value\\u003e', '<no value>'],
  ['&nbsp;', '&nbsp;'],
] as const;

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

const shown = (word: string): string => word.replace(/^[\s\u200b]+|[\s\ufeff]+$/g, '');

describe.each([...WORDS.map((word) => [word, shown(word)] as const), ...ENCODED])('%j', (word, named) => {
  test('gives no key and no value, with a warning that names it', () => {
    const { title, key, series } = map({ template: '{{webhook.id}}' }, { id: word });
    expect(series).toBeNull();
    expect(title).toMatchObject({ value: null, result: 'missing', missing: [{ path: 'webhook.id' }] });
    expect(title.warnings).toEqual([PLACEHOLDER(named)]);
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
  'NA',
  'NaT',
  'NAT-gateway',
  'Nan',
  'Null Island',
  'nil-service',
  'null@example.com',
  'None-1',
  'N/A-123',
  '[null, 1]',
  '{"name":false}',
  '%!d(string=db-1)',
  '#1',
  '"none of them"',
  '[none] disk',
])('%j is a value', (word) => {
  expect(title('{{webhook.x}}', { x: word })).toMatchObject({
    value: word,
    result: 'resolved',
    warnings: [],
  });
});

test.each(['NaN', 'NaT', 'NA', 'NA/NA', '-', '--', '?', '...', 'not available'])(
  '%j identifies no problem',
  (word) => {
    expect(map({ template: '{{webhook.id}}' }, { id: word })).toMatchObject({
      title: { value: word, warnings: [] },
      series: null,
    });
  },
);

test.each([
  ['a list', [null]],
  ['a list of blanks', ['', ' ', '\u200b']],
  ['an object', { name: null }],
  ['nested ones', [{ a: 'N/A', b: [{ c: '<nil>' }, {}] }]],
])('%s without any value is missing', (_, id) => {
  for (const field of [{ template: '{{webhook.id}}' }, { expression: 'webhook.id' }]) {
    expect(map(field, { id })).toMatchObject({ title: { value: null, result: 'missing' }, series: null });
  }
  expect(title('{{webhook.id|webhook.b}}', { id, b: 'x' })).toMatchObject({ value: 'x', warnings: [] });
  expect(map({ expression: 'first(webhook.id, "x")' }, { id }).title.value).toBe('x');
});

test.each([
  ['a list', ['null', 'db-1'], 'null, db-1'],
  ['an object', { a: null, b: 0 }, '{"a":null,"b":0}'],
])('%s with one value is that value, without a warning', (_, x, value) => {
  expect(title('{{webhook.x}}', { x })).toMatchObject({ value, result: 'resolved', warnings: [] });
});

const MACROS = [
  '%{host}',
  '#{host}',
  '@{host}',
  '$(host)',
  '%(host)s',
  '%HOSTNAME%',
  '%%host%%',
  '$HOSTNAME$',
  '$host.name$',
  '##HOST##',
  '@@host@@',
  '<%= host %>',
  '<?= $host ?>',
  '{% host %}',
  '{{ host }}',
  '{{HOST.NAME}.last()}',
  '[[host]]',
  '*monitorID*',
  '{HOST.NAME}',
  '{host}',
  '{0}',
  '{$HOST}',
  '{#FSNAME}',
  ...['$', '$$'].flatMap((start) => [`${start}{host}`, `${start}{N=SwisEntity;M=Caption}`]),
  '$!{host}',
  '$.alert.host',
  '%s',
  ' %{host} ',
];

describe.each(MACROS)('a macro that is the whole value: %s', (macro) => {
  const warning = { code: 'unexpanded_macro', value: macro.trim() };

  test('gives no key, alone or as a part', () => {
    const payload = { host: macro, check: 'disk' };
    for (const field of [
      { template: '{{webhook.host}}' },
      TWO_TAGS,
      { expression: 'webhook.host + "/" + webhook.check' },
    ]) {
      const { key, series } = map(field, payload);
      expect(series).toBeNull();
      expect(key?.warnings).toMatchObject([warning, { code: 'missing_dedup_key' }]);
    }
  });

  test('gives way to another path and to the default, and stays if there is neither', () => {
    const payload = { a: macro, b: 'disk', c: macro };
    expect(title('{{webhook.a|webhook.b}}', payload)).toMatchObject({ value: 'disk', warnings: [] });
    expect(title('{{webhook.a}}', payload, { default: 'x' })).toMatchObject({
      value: 'x',
      result: 'defaulted',
      warnings: [warning],
    });
    for (const template of ['{{webhook.a}}', '{{webhook.a|webhook.c}}', '{{webhook.none|webhook.a}}'])
      expect(title(template, payload)).toMatchObject({ value: macro.trim(), warnings: [warning] });
    const one = map({ expression: 'first(webhook.a, webhook.b)' }, payload);
    expect(one.title).toMatchObject({ value: 'disk' });
  });
});

test.each([
  '$100',
  '$default',
  '$LATEST',
  'C$',
  '100%',
  '%iowait',
  '#general',
  '@oncall',
  '*bold*',
  '*.example.com',
  '{6F9619FF-8B86-D011-B42D-00CF4FC964FF}',
  '{ticket_action:created}',
  '<b>disk</b>',
  '[FIRING:1] disk',
  'backup.sh $(date +%F)',
])('%s is not a macro', (id) => {
  const { title, series } = map({ template: '{{webhook.id}}' }, { id });
  expect(title).toMatchObject({ value: id, warnings: [] });
  expect(series?.dedupKey).toBe(id);
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
    [
      'a region',
      { template: '{{webhook.host}}/{{webhook.check}}', values: { na: '-' } },
      { host: 'NA', check: 'a' },
      'NA/a',
    ],
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
  for (const word of WORDS) expect(placeholderIn(word)).not.toBeNull();
  expect(placeholderIn('é'.repeat(40))).toBeNull();
});
