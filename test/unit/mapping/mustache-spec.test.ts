import { describe, expect, test } from '@jest/globals';
import type { CompiledField } from '../../../workers/mapping/definition/compile.js';
import { RenderState } from '../../../workers/mapping/render/render-state.js';
import { renderTokens } from '../../../workers/mapping/render/template-writer.js';
import { Budget } from '../../../workers/mapping/values/budget.js';
import { type JsonValue, KeyLists } from '../../../workers/mapping/values/json-value.js';
import { compiled } from './mapping.js';

/**
 * The cases of the Mustache specification's modules "interpolation", "sections", "inverted" and "comments"
 * (https://github.com/mustache/spec), in our own words, with names under `webhook`.
 * docs/mapping.md lists the differences; those cases are here with Muster's result.
 */
type Case = [situation: string, template: string, data: JsonValue, text: string];

function render(template: string, data: JsonValue): string {
  const state = new RenderState({ webhook: data, request: () => undefined }, new Budget(), new KeyLists());
  const [field] = compiled({ fields: { title: { template } } }).fields;
  state.startField(field as CompiledField);
  return renderTokens(field?.template?.tokens ?? [], state);
}

function all(name: string, cases: Case[]): void {
  describe(name, () => {
    test.each(cases)('%s', (_, template, data, text) => expect(render(template, data)).toBe(text));
  });
}

all('interpolation', [
  ['text without tags stays', 'Nothing {to} fill in }}.\n', {}, 'Nothing {to} fill in }}.\n'],
  ['a tag renders its value', 'Good morning, {{webhook.who}}!\n', { who: 'crew' }, 'Good morning, crew!\n'],
  [
    'a rendered value is not rendered again',
    '{{webhook.t}}: {{webhook.n}}',
    { t: '{{webhook.n}}', n: 3 },
    '{{webhook.n}}: 3',
  ],
  ['three braces', '{{{webhook.s}}}', { s: '& " < >' }, '& " < >'],
  ['an ampersand', '{{&webhook.s}}', { s: '& " < >' }, '& " < >'],
  ['an integer', '{{webhook.n}} km', { n: 85 }, '85 km'],
  ['an integer, three braces', '{{{webhook.n}}} km', { n: 85 }, '85 km'],
  ['an integer, ampersand', '{{&webhook.n}} km', { n: 85 }, '85 km'],
  ['a fraction', '{{webhook.n}} Ah', { n: 1.21 }, '1.21 Ah'],
  ['null renders as empty text', '({{webhook.n}})', { n: null }, '()'],
  ['null renders as empty text, three braces', '({{{webhook.n}}})', { n: null }, '()'],
  ['null renders as empty text, ampersand', '({{&webhook.n}})', { n: null }, '()'],
  ['an absent value renders as empty text', '({{webhook.n}})', {}, '()'],
  ['an absent value renders as empty text, three braces', '({{{webhook.n}}})', {}, '()'],
  ['an absent value renders as empty text, ampersand', '({{&webhook.n}})', {}, '()'],
  [
    'a dotted name equals nested sections',
    '{{webhook.p.n}}={{#webhook.p}}{{n}}{{/webhook.p}}',
    { p: { n: 'Lu' } },
    'Lu=Lu',
  ],
  ['dotted, three braces', '{{{webhook.p.n}}}', { p: { n: 'Lu' } }, 'Lu'],
  ['dotted, ampersand', '{{&webhook.p.n}}', { p: { n: 'Lu' } }, 'Lu'],
  ['dotted to any depth', '{{webhook.a.b.c.d.e.n}}', { a: { b: { c: { d: { e: { n: 'Lu' } } } } } }, 'Lu'],
  ['a broken chain renders as empty text', '({{webhook.a.b.c}})', { a: {} }, '()'],
  [
    'a broken chain is not looked up again from the top',
    '({{webhook.a.b.c.n}})',
    { a: { b: {} }, c: { n: 'Jo' } },
    '()',
  ],
  [
    'a dotted name is looked up in the current element',
    '{{#webhook.a}}{{b.n}}{{/webhook.a}}',
    { a: { b: { n: 'Lu' } }, b: { n: 'Jo' } },
    'Lu',
  ],
  ['a dotted name is also a flat key', '({{webhook.a.b}})', { 'a.b': 'c' }, '(c)'],
  ['a nested value wins over a flat key', '{{webhook.a.b}}', { 'a.b': 'c', a: { b: 'd' } }, 'd'],
  ['the element itself', '{{#webhook.l}}{{.}}{{/webhook.l}}', { l: ['x'] }, 'x'],
  ['the element itself, not escaped', '{{#webhook.l}}{{.}}{{{.}}}{{&.}}{{/webhook.l}}', { l: ['<'] }, '<<<'],
  ['blanks around a tag stay', '| {{webhook.s}} |', { s: '-' }, '| - |'],
  ['blanks around three braces stay', '| {{{webhook.s}}} |', { s: '-' }, '| - |'],
  ['a tag alone on a line keeps the line', '  {{webhook.s}}\n', { s: '-' }, '  -\n'],
  ['three braces alone on a line', '  {{{webhook.s}}}\n', { s: '-' }, '  -\n'],
  ['blanks inside a tag', '|{{ webhook.s }}|', { s: '-' }, '|-|'],
  ['blanks inside three braces', '|{{{ webhook.s }}}|', { s: '-' }, '|-|'],
  ['blanks after an ampersand', '|{{& webhook.s }}|', { s: '-' }, '|-|'],
]);

all('interpolation, where the profile differs', [
  ['nothing is escaped for HTML', '{{webhook.s}}', { s: '& " < >' }, '& " < >'],
  ['a list has commas', '{{webhook.l}}', { l: [1, 'a', null] }, '1, a'],
  ['a list of lists is JSON', '{{webhook.l}}', { l: [1, ['a']] }, '[1,["a"]]'],
  ['an object is JSON', '{{webhook.o}}', { o: { a: 0 } }, '{"a":0}'],
  ['blank text renders as empty text', '({{webhook.s}})', { s: ' ' }, '()'],
]);

all('sections', [
  ['true renders the content', '"{{#webhook.b}}in{{/webhook.b}}"', { b: true }, '"in"'],
  ['false drops the content', '"{{#webhook.b}}in{{/webhook.b}}"', { b: false }, '""'],
  ['null drops the content', '"{{#webhook.b}}in{{/webhook.b}}"', { b: null }, '""'],
  ['an absent value drops the content', '"{{#webhook.b}}in{{/webhook.b}}"', {}, '""'],
  ['an object is the element', '"{{#webhook.o}}Hi {{n}}.{{/webhook.o}}"', { o: { n: 'Lu' } }, '"Hi Lu."'],
  ['text is the element', '"{{#webhook.s}}{{.}}!{{/webhook.s}}"', { s: 'ho' }, '"ho!"'],
  [
    'each element of a list',
    '"{{#webhook.l}}{{n}}{{/webhook.l}}"',
    { l: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    '"123"',
  ],
  ['an empty list drops the content', '"{{#webhook.l}}Hm{{/webhook.l}}"', { l: [] }, '""'],
  [
    'two sections with text between them',
    '{{#webhook.b}}\n* one\n{{/webhook.b}}\n* {{webhook.t}}\n{{#webhook.b}}\n* three\n{{/webhook.b}}\n',
    { b: true, t: 'two' },
    '* one\n* two\n* three\n',
  ],
  [
    'nested and true',
    '|A{{#webhook.b}} B{{#webhook.b}} C{{/webhook.b}} D{{/webhook.b}} E|',
    { b: true },
    '|A B C D E|',
  ],
  [
    'nested and false',
    '|A{{#webhook.b}} B{{#webhook.b}} C{{/webhook.b}} D{{/webhook.b}} E|',
    { b: false },
    '|A E|',
  ],
  ['elements that are text', '{{#webhook.l}}({{.}}){{/webhook.l}}', { l: ['a', 'b'] }, '(a)(b)'],
  ['elements that are integers', '{{#webhook.l}}({{.}}){{/webhook.l}}', { l: [1, 2] }, '(1)(2)'],
  ['elements that are fractions', '{{#webhook.l}}({{.}}){{/webhook.l}}', { l: [1.5, 2.25] }, '(1.5)(2.25)'],
  [
    'elements that are lists',
    '{{#webhook.l}}({{#.}}{{.}}{{/.}}){{/webhook.l}}',
    { l: [[1, 2], ['a']] },
    '(12)(a)',
  ],
  ['the payload itself is a list', '{{#webhook}}({{v}}){{/webhook}}', [{ v: 'a' }, { v: 'b' }], '(a)(b)'],
  ['a dotted name', '{{#webhook.a.b.c}}in{{/webhook.a.b.c}}', { a: { b: { c: true } } }, 'in'],
  [
    'a dotted name that is false',
    '({{#webhook.a.b.c}}in{{/webhook.a.b.c}})',
    { a: { b: { c: false } } },
    '()',
  ],
  ['a broken chain', '({{#webhook.a.b.c}}in{{/webhook.a.b.c}})', { a: {} }, '()'],
  ['blanks around a section stay', ' | {{#webhook.b}}\t|\t{{/webhook.b}} | \n', { b: true }, ' | \t|\t | \n'],
  [
    'blanks and lines inside a section stay',
    ' | {{#webhook.b}} {{! note }}\n {{/webhook.b}} | \n',
    { b: true },
    ' |  \n  | \n',
  ],
  ['an indented section in a line', ' {{#webhook.b}}A{{/webhook.b}}\n', { b: true }, ' A\n'],
  [
    'lines with only a tag are removed',
    '| x\n{{#webhook.b}}\n|\n{{/webhook.b}}\n| y\n',
    { b: true },
    '| x\n|\n| y\n',
  ],
  [
    'indented lines with only a tag are removed',
    '| x\n  {{#webhook.b}}\n|\n  {{/webhook.b}}\n| y\n',
    { b: true },
    '| x\n|\n| y\n',
  ],
  ['with carriage returns', '|\r\n{{#webhook.b}}\r\n{{/webhook.b}}\r\n|', { b: true }, '|\r\n|'],
  ['on the first line', '  {{#webhook.b}}\n#{{/webhook.b}}\n/', { b: true }, '#\n/'],
  ['on the last line', '#{{#webhook.b}}\n/\n  {{/webhook.b}}', { b: true }, '#\n/\n'],
  ['blanks inside the tags', '|{{# webhook.b }}={{/ webhook.b }}|', { b: true }, '|=|'],
]);

all('sections, where the profile differs', [
  [
    'names of the surrounding scope are not found',
    '({{#webhook.o}}{{n}}{{/webhook.o}})',
    { o: { x: 1 }, n: 'Lu' },
    '()',
  ],
  [
    'a full path reaches the surrounding scope',
    '{{#webhook.o}}{{x}}{{webhook.n}}{{/webhook.o}}',
    { o: { x: 1 }, n: 'Lu' },
    '1Lu',
  ],
  ['blank text drops the content', '({{#webhook.s}}in{{/webhook.s}})', { s: ' ' }, '()'],
]);

all('inverted sections', [
  ['false renders the content', '"{{^webhook.b}}in{{/webhook.b}}"', { b: false }, '"in"'],
  ['true drops the content', '"{{^webhook.b}}in{{/webhook.b}}"', { b: true }, '""'],
  ['null renders the content', '"{{^webhook.b}}in{{/webhook.b}}"', { b: null }, '"in"'],
  ['an object drops the content', '"{{^webhook.o}}in{{/webhook.o}}"', { o: { n: 1 } }, '""'],
  ['a list drops the content', '"{{^webhook.l}}in{{/webhook.l}}"', { l: [1] }, '""'],
  ['an empty list renders the content', '"{{^webhook.l}}in{{/webhook.l}}"', { l: [] }, '"in"'],
  ['an absent value renders the content', '"{{^webhook.b}}in{{/webhook.b}}"', {}, '"in"'],
  [
    'nested',
    '|A{{^webhook.b}} B{{^webhook.b}} C{{/webhook.b}} D{{/webhook.b}} E|',
    { b: false },
    '|A B C D E|',
  ],
  ['a dotted name', '{{^webhook.a.b}}in{{/webhook.a.b}}', { a: { b: false } }, 'in'],
  ['a broken chain', '{{^webhook.a.b}}in{{/webhook.a.b}}', { a: {} }, 'in'],
  [
    'lines with only a tag are removed',
    '| x\n{{^webhook.b}}\n|\n{{/webhook.b}}\n| y\n',
    { b: false },
    '| x\n|\n| y\n',
  ],
]);

all('comments', [
  ['are removed', 'a{{! note }}b', {}, 'ab'],
  ['can have several lines', 'a{{!\n  note\n  more\n}}b\n', {}, 'ab\n'],
  ['alone on a line remove the line', 'a\n  {{! note }}\nb\n', {}, 'a\nb\n'],
  ['alone on lines with carriage returns', '|\r\n{{! note }}\r\n|', {}, '|\r\n|'],
  ['after text keep the line', ' 12 {{! 34 }}\n', {}, ' 12 \n'],
  ['are not names', 'x{{! webhook.a }}{{!webhook.a}}', { a: 1 }, 'x'],
]);
