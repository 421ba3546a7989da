import { describe, expect, test } from '@jest/globals';
import { compiled, errorsOf } from './mapping.js';

const ofTitle = (template: string, more: object = {}) =>
  errorsOf({ fields: { title: { template } }, ...more });

describe('an invalid template is rejected with its position', () => {
  test.each([
    ['{{> part}}', 'partial', 1, 1],
    ['a\n {{=<% %>=}}', 'delimiters', 2, 2],
    ['ab {{webhook.x', 'unclosed_tag', 1, 4],
    ['{{{webhook.x}}', 'unclosed_tag', 1, 1],
    ['{{#webhook.x}}y', 'unclosed_section', 1, 1],
    ['{{#webhook.x}}\n{{/webhook.y}}', 'unclosed_section', 2, 1],
    ['x{{/webhook.x}}', 'unopened_section', 1, 2],
    ['{{title}}', 'unknown_name', 1, 1],
    ['{{^webhook.x}}{{title}}{{/webhook.x}}', 'unknown_name', 1, 15],
    ['{{.}}', 'unknown_name', 1, 1],
    ['{{item.x}}', 'no_item', 1, 1],
    ['{{}}', 'bad_path', 1, 1],
    ['{{webhook..x}}', 'bad_path', 1, 1],
    ['{{webhook.}}', 'bad_path', 1, 1],
    ['{{webhook[x]}}', 'bad_path', 1, 1],
    ['{{webhook["x]}}', 'bad_path', 1, 1],
    ['{{webhook.x upper}}{{webhook["a\\q"]}}', 'bad_path', 1, 20],
    [`{{webhook.${'x'.repeat(1_000)}}}`, 'tag_too_long', 1, 1],
    [`{{${' '.repeat(2_000)}webhook.x}}`, 'tag_too_long', 1, 1],
    [`${'{{#webhook.x}}'.repeat(11)}${'{{/webhook.x}}'.repeat(11)}`, 'too_deep', 1, 141],
  ])('%j: %s', (template, code, line, column) => {
    const [error, ...more] = ofTitle(template);
    expect(more).toEqual([]);
    expect(error).toMatchObject({ field: 'fields.title.template', code, line, column });
    expect(error?.message).toContain(`line ${line}, column ${column}: `);
  });

  test('of more than 8,192 characters', () => {
    expect(ofTitle('x'.repeat(8_193))).toMatchObject([{ field: 'fields.title.template' }]);
  });
});

test.each([
  ['{{! a comment, with webhook.{ and }s }}x'],
  ['{{ webhook.x }}{{{ webhook.y }}}{{& webhook.z }}'],
  ['{{webhook.Problem URL}}{{webhook.detail-type}}{{webhook.@timestamp}}'],
  ['{{#webhook.x}}{{y}}{{.}}{{["a.b"]}}{{#z}}{{0}}{{/z}}{{/webhook.x}}'],
  ['}} { } {'],
])('%s is accepted', (template) => expect(ofTitle(template)).toEqual([]));

test('item is accepted if the mapping has a split', () => {
  expect(ofTitle('{{item.x}}', { split: 'list' })).toEqual([]);
});

describe('an invalid mapping is rejected with all its errors at once', () => {
  test('each with its field', () => {
    const errors = errorsOf({
      split: 'a..b',
      expandJson: ['ok', 'item.x'],
      fields: {
        title: { template: '{{x}}' },
        severity: { template: '{{webhook.s}}', values: { High: 'critical', 'high ': 'error' } },
      },
      custom: { zone: { template: '{{>x}}' } },
    });
    expect(errors.map(({ field, code }) => [field, code])).toEqual([
      ['split', 'bad_path'],
      ['expandJson.1', 'bad_path'],
      ['fields.title.template', 'unknown_name'],
      ['fields.severity.values', 'repeated_value'],
      ['custom.zone.template', 'partial'],
    ]);
  });

  test.each([
    [null, ''],
    [{}, 'fields'],
    [{ fields: { titel: {} } }, 'fields'],
    [{ fields: { title: { default: ' ' } } }, 'fields.title.default'],
    [{ fields: { title: { template: 1 } } }, 'fields.title.template'],
    [{ fields: {}, custom: { 'no name': {} } }, 'custom.no name'],
    [{ fields: {}, more: 1 }, ''],
  ])('%j', (mapping, field) => {
    expect(errorsOf(mapping)).toMatchObject([{ field, code: 'invalid_mapping' }]);
  });

  test('for more templates than 64 KiB together', () => {
    const custom = Object.fromEntries(
      Array.from({ length: 9 }, (_, i) => [`f${i}`, { template: 'x'.repeat(8_000) }]),
    );
    expect(errorsOf({ fields: {}, custom })).toMatchObject([
      { field: 'custom.f8.template', code: 'templates_too_long' },
    ]);
  });
});

test('a compiled template names its paths once, in order', () => {
  const { fields } = compiled({
    fields: { title: { template: '{{webhook.b}}{{#webhook.a}}{{x}}{{.}}{{/webhook.a}}{{webhook.b}}' } },
  });
  expect(fields[0]?.template?.paths).toEqual(['webhook.b', 'webhook.a']);
});

test('a name or value __proto__ is rejected, not dropped', () => {
  const sent = JSON.parse(`{"fields":{"title":{"values":{"__proto__":"x"}}},
    "custom":{"__proto__":{"template":"x"},"a":{"values":{"__proto__":"x","b":"c"}}}}`);
  expect(errorsOf(sent).map(({ field, code, message }) => [field, code, message])).toEqual(
    ['custom.__proto__', 'fields.title.values.__proto__', 'custom.a.values.__proto__'].map((field) => [
      field,
      'invalid_mapping',
      'must not be named __proto__',
    ]),
  );
});
