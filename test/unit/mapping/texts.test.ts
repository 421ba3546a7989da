import { describe, expect, test } from '@jest/globals';
import type { FieldMapping } from '../../../workers/mapping/definition/schema.js';
import { only, run, title } from './mapping.js';

const field = (name: 'severity' | 'description' | 'dedupKey', mapping: FieldMapping, payload: unknown) =>
  only(run({ fields: { [name]: mapping } }, payload)).fields[name];

describe('a severity', () => {
  const severity = (text: unknown, more: FieldMapping = {}) =>
    field('severity', { template: '{{webhook.s}}', ...more }, { s: text });

  test.each([
    ['CRITICAL', 'critical', {}],
    [' Warning ', 'warning', {}],
    ['Error', 'error', { values: { high: 'critical' } }],
    ['high', 'critical', { values: { HIGH: 'Critical' } }],
    ['P1', 'SEV-1', { values: { p1: 'SEV-1' } }],
  ])('%j is spelled %s', (text, value, more) => {
    expect(severity(text, more)).toMatchObject({ value, result: 'resolved', warnings: [] });
  });

  test('takes the default, in its one spelling, if the word is neither known nor in the value map', () => {
    expect(severity('approved', { default: 'Warning' })).toMatchObject({
      value: 'warning',
      result: 'defaulted',
      warnings: [{ code: 'unknown_severity', value: 'approved' }],
    });
    expect(severity('approved', { default: 'info', values: { high: 'critical' } })).toMatchObject({
      value: 'info',
      warnings: [{ code: 'unmapped_value', value: 'approved' }],
    });
  });

  test('without a default keeps the word, with a warning', () => {
    expect(severity('blocker')).toMatchObject({ value: 'blocker', warnings: [{ code: 'unknown_severity' }] });
  });
});

describe('a list', () => {
  test.each<[string, unknown, string]>([
    ['texts', ['bastion-1', 'bastion-2'], 'bastion-1, bastion-2'],
    ['numbers and flags', [1, 2.5, true], '1, 2.5, true'],
    ['blank elements', ['a', null, ' ', 'b'], 'a, b'],
    ['one element', ['a'], 'a'],
    ['objects', [{ a: 1 }], '[{"a":1}]'],
  ])('of %s', (_, list, value) => {
    expect(title('{{webhook.x}}', { x: list })).toMatchObject({ value, result: 'resolved' });
  });

  test('of blank elements is missing', () => {
    expect(title('{{webhook.x}}', { x: [null, ''] })).toMatchObject({ value: null, result: 'missing' });
  });

  test('gives a field with a value map the first element that the map has', () => {
    const mapping = { template: '{{webhook.s}}', values: { high: 'error', low: 'info' } };
    expect(field('severity', mapping, { s: ['odd', 'HIGH', 'low'] })?.value).toBe('error');
  });

  test('stays JSON in a key', () => {
    expect(field('dedupKey', { template: '{{webhook.x}}' }, { x: ['a', 'b'] })?.value).toBe('["a","b"]');
  });
});

test('the same labels in another order are the same key', () => {
  const key = (labels: object) => field('dedupKey', { template: '{{webhook.labels}}' }, { labels })?.value;
  expect(key({ b: { d: 1, c: [{ f: 1, e: 2 }] }, a: 'x' })).toBe('{"a":"x","b":{"c":[{"e":2,"f":1}],"d":1}}');
  expect(key({ a: 'x', b: { c: [{ e: 2, f: 1 }], d: 1 } })).toBe(
    key({ b: { d: 1, c: [{ f: 1, e: 2 }] }, a: 'x' }),
  );
});

describe('words whose tags find nothing', () => {
  test.each(['{{webhook.a}} is {{webhook.b}}', 'Backup of {{webhook.a}} failed'])(
    '%s is missing',
    (template) => {
      expect(title(template, {})).toMatchObject({ value: null, result: 'missing' });
    },
  );

  test('stay if one tag finds a value, or if they are in a section that is true', () => {
    expect(title('{{webhook.a}} is {{webhook.b}}', { b: 'down' }).value).toBe('is down');
    expect(title('{{webhook.a}}{{#webhook.up}}recovered{{/webhook.up}}', { up: true }).value).toBe(
      'recovered',
    );
  });
});

describe('entities of HTML and colors of a terminal', () => {
  test.each([
    ['CPU &gt; 90 &amp; rising on &#39;db-1&#x27;', "CPU > 90 & rising on 'db-1'"],
    ['&quot;a&nbsp;b&quot;', '"a b"'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['https://x.example/?a=1&copy=2&lt=3', 'https://x.example/?a=1&copy=2&lt=3'],
    ['&unknown; &#0; &#xd800; &#x110000;', '&unknown; &#0; &#xd800; &#x110000;'],
    ['\u001b[1;31mCRITICAL\u001b[0m - disk', 'CRITICAL - disk'],
    ['\u001b]0;title\u0007disk \u009b31mfull', 'disk full'],
  ])('%j', (text, value) => {
    expect(title('{{webhook.x}}', { x: text })).toMatchObject({ value, warnings: [] });
  });

  test('are gone before the value map is asked, which may also have the text as sent', () => {
    const values = { 'a & b': '1', '&lt;': '2' };
    expect(title('{{webhook.x}}', { x: 'a &amp; b' }, { values }).value).toBe('1');
    expect(title('{{webhook.x}}', { x: '&lt;' }, { values }).value).toBe('2');
  });

  test('stay in a key, which nobody reads', () => {
    expect(field('dedupKey', { template: '{{webhook.x}}' }, { x: 'a&amp;b' })?.value).toBe('a&amp;b');
  });
});

test('a variable of Splunk that was not filled in is a macro', () => {
  const result = field('dedupKey', { template: '{{webhook.x}}' }, { x: 'disk of $result.host$' });
  expect(result).toMatchObject({
    value: null,
    warnings: [{ code: 'unexpanded_macro', value: '$result.host$' }, {}],
  });
});
