import { expect, test } from '@jest/globals';
import { findFirstOf } from '../../../../api/console/mapping/model/draft/first-of.ts';
import { namesIn, renameTags, replacePath } from '../../../../api/console/mapping/model/draft/tags.ts';
import { splitFirstOf } from '../../../../workers/mapping/template/check-tags.js';

const PATHS = [
  ['webhook.a', 'webhook.b'],
  ['item.a', 'webhook.b["c d"]', 'webhook.c', 'webhook.d[0]'],
];

const inOneTag = (paths: string[]): string => `{{${paths.join('|')}}}`;

function inSections([path, ...rest]: string[]): string {
  if (rest.length === 0) return `{{${path}}}`;
  return `{{#${path}}}{{.}}{{/${path}}}{{^${path}}}${inSections(rest)}{{/${path}}}`;
}

test.each([
  ['one tag', inOneTag],
  ['the sections of older mappings', inSections],
])('a first-of in %s is found, with any number of paths', (_, write) => {
  for (const paths of PATHS) {
    const template = `x ${write(paths)} y`;
    expect(findFirstOf(template)).toEqual([{ from: 2, to: template.length - 2, paths }]);
  }
});

test.each([inOneTag, inSections])('finds several first-ofs next to each other', (write) => {
  const one = write(['webhook.a', 'webhook.b']);
  expect(findFirstOf(one + one).map(({ from, to }) => [from, to])).toEqual([
    [0, one.length],
    [one.length, 2 * one.length],
  ]);
});

test('the console and the engine split a tag into the same paths', () => {
  for (const name of [
    'webhook.a | webhook.b',
    'webhook["a|b"]|webhook[\'c|d\']',
    '|webhook.a',
    'webhook["a|b',
  ]) {
    const paths = splitFirstOf(name).map(({ text }) => text);
    expect(paths.length).toBeGreaterThan(1);
    expect(namesIn(`{{${name}}}`)).toEqual(paths);
  }
});

test('paths of a first-of are renamed and replaced one by one', () => {
  const template = '{{webhook.a | webhook.b["c|d"]}} {{#webhook.a}}{{.}}{{/webhook.a}}';
  expect(replacePath(template, 'webhook.a', 'webhook.z')).toBe(
    '{{webhook.z | webhook.b["c|d"]}} {{#webhook.z}}{{.}}{{/webhook.z}}',
  );
  expect(renameTags('{{webhook.x[0].a|webhook.y}}', (path) => path.replace('webhook.x[0]', 'item'))).toBe(
    '{{item.a|webhook.y}}',
  );
});

test.each([
  '{{webhook.a}}',
  '{{webhook["a|b"]}}',
  '{{#webhook.a|webhook.b}}x{{/webhook.a|webhook.b}}',
  '{{#webhook.list}}{{name}}, {{/webhook.list}}',
  '{{#webhook.a}}{{.}}{{/webhook.a}}',
  '{{#webhook.a}}{{.}}{{/webhook.a}}{{^webhook.b}}{{webhook.c}}{{/webhook.b}}',
  '{{#webhook.a}}{{.}}{{/webhook.a}}{{^webhook.a}}none{{/webhook.a}}',
  '{{#webhook.a}}{{.}}{{/webhook.a}}{{^webhook.a}}{{webhook.b}}',
  '{{#',
])('finds no first-of in %s', (template) => {
  expect(findFirstOf(template)).toEqual([]);
});
