import { expect, test } from '@jest/globals';
import { findFirstOf } from '../../../api/console/mapping/model/first-of.ts';
import { firstOf } from '../../../workers/mapping/catalogue/first-of.js';

test('the catalogue’s way to say the first of several paths is understood, however many', () => {
  for (const paths of [
    ['webhook.a', 'webhook.b'],
    ['item.a', 'webhook.b["c d"]', 'webhook.c', 'webhook.d[0]'],
  ]) {
    const template = `x ${firstOf(...(paths as [string, string]))} y`;
    expect(findFirstOf(template)).toEqual([{ from: 2, to: template.length - 2, paths }]);
  }
});

test('several stand side by side', () => {
  const one = firstOf('webhook.a', 'webhook.b');
  expect(findFirstOf(one + one).map(({ from, to }) => [from, to])).toEqual([
    [0, one.length],
    [one.length, 2 * one.length],
  ]);
});

test.each([
  '{{webhook.a}}',
  '{{#webhook.list}}{{name}}, {{/webhook.list}}',
  '{{#webhook.a}}{{.}}{{/webhook.a}}',
  '{{#webhook.a}}{{.}}{{/webhook.a}}{{^webhook.b}}{{webhook.c}}{{/webhook.b}}',
  '{{#webhook.a}}{{.}}{{/webhook.a}}{{^webhook.a}}none{{/webhook.a}}',
  '{{#webhook.a}}{{.}}{{/webhook.a}}{{^webhook.a}}{{webhook.b}}',
  '{{#',
])('other sections are something else: %s', (template) => {
  expect(findFirstOf(template)).toEqual([]);
});
