import { describe, expect, test } from '@jest/globals';
import { RenderState } from '../../../workers/mapping/render/render-state.js';
import { renderTokens } from '../../../workers/mapping/render/template-writer.js';
import { compileTemplate } from '../../../workers/mapping/template/template.js';
import { Budget } from '../../../workers/mapping/values/budget.js';
import { type JsonValue, KeyLists } from '../../../workers/mapping/values/json-value.js';

/**
 * The situations of the moustache specification's modules "interpolation", "sections", "inverted" and "comments"
 * (https://github.com/mustache/spec), in our own words, with names under `webhook`.
 * docs/mapping.md lists the differences; those situations are here with Muster's result.
 */
type Case = [situation: string, template: string, data: JsonValue, text: string];

function render(template: string, data: JsonValue): string {
  const compiled = compileTemplate(template, { split: false });
  if ('error' in compiled) throw new Error(compiled.error.message);
  const state = new RenderState(data, new Budget(), new KeyLists());
  state.startField(compiled.template.tagPaths);
  return renderTokens(compiled.template.tokens, state);
}

function all(name: string, cases: Case[]): void {
  describe(name, () => {
    test.each(cases)('%s', (_, template, data, text) => expect(render(template, data)).toBe(text));
  });
}

all('interpolation', [
  ['text without tags stays', 'Nothing {to} fill in }}.\n', {}, 'Nothing {to} fill in }}.\n'],
  ['a tag is filled in', 'Good morning, {{webhook.who}}!\n', { who: 'crew' }, 'Good morning, crew!\n'],
  [
    'what is filled in is not read again',
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
  ['null is nothing', '({{webhook.n}})', { n: null }, '()'],
  ['null is nothing, three braces', '({{{webhook.n}}})', { n: null }, '()'],
  ['null is nothing, ampersand', '({{&webhook.n}})', { n: null }, '()'],
  ['absent is nothing', '({{webhook.n}})', {}, '()'],
  ['absent is nothing, three braces', '({{{webhook.n}}})', {}, '()'],
  ['absent is nothing, ampersand', '({{&webhook.n}})', {}, '()'],
  [
    'a dotted name is as good as sections',
    '{{webhook.p.n}}={{#webhook.p}}{{n}}{{/webhook.p}}',
    { p: { n: 'Lu' } },
    'Lu=Lu',
  ],
  ['dotted, three braces', '{{{webhook.p.n}}}', { p: { n: 'Lu' } }, 'Lu'],
  ['dotted, ampersand', '{{&webhook.p.n}}', { p: { n: 'Lu' } }, 'Lu'],
  ['dotted to any depth', '{{webhook.a.b.c.d.e.n}}', { a: { b: { c: { d: { e: { n: 'Lu' } } } } } }, 'Lu'],
  ['a broken chain is nothing', '({{webhook.a.b.c}})', { a: {} }, '()'],
  [
    'a broken chain does not start over at the top',
    '({{webhook.a.b.c.n}})',
    { a: { b: {} }, c: { n: 'Jo' } },
    '()',
  ],
  [
    'the first name is found once',
    '{{#webhook.a}}{{b.n}}{{/webhook.a}}',
    { a: { b: { n: 'Lu' } }, b: { n: 'Jo' } },
    'Lu',
  ],
  ['a dotted name is also a flat key', '({{webhook.a.b}})', { 'a.b': 'c' }, '(c)'],
  ['nor masked by one', '{{webhook.a.b}}', { 'a.b': 'c', a: { b: 'd' } }, 'd'],
  ['the element itself', '{{#webhook.l}}{{.}}{{/webhook.l}}', { l: ['x'] }, 'x'],
  ['the element itself, not escaped', '{{#webhook.l}}{{.}}{{{.}}}{{&.}}{{/webhook.l}}', { l: ['<'] }, '<<<'],
  ['blanks around a tag stay', '| {{webhook.s}} |', { s: '-' }, '| - |'],
  ['blanks around three braces stay', '| {{{webhook.s}}} |', { s: '-' }, '| - |'],
  ['a tag on a line of its own keeps the line', '  {{webhook.s}}\n', { s: '-' }, '  -\n'],
  ['three braces on a line of their own', '  {{{webhook.s}}}\n', { s: '-' }, '  -\n'],
  ['blanks inside of a tag', '|{{ webhook.s }}|', { s: '-' }, '|-|'],
  ['blanks inside of three braces', '|{{{ webhook.s }}}|', { s: '-' }, '|-|'],
  ['blanks behind an ampersand', '|{{& webhook.s }}|', { s: '-' }, '|-|'],
]);

all('interpolation, where the profile differs', [
  ['nothing is escaped for HTML', '{{webhook.s}}', { s: '& " < >' }, '& " < >'],
  ['a list is JSON', '{{webhook.l}}', { l: [1, 'a'] }, '[1,"a"]'],
  ['an object is JSON', '{{webhook.o}}', { o: { a: null } }, '{"a":null}'],
  ['blank text is nothing', '({{webhook.s}})', { s: ' ' }, '()'],
]);

all('sections', [
  ['true keeps what is inside', '"{{#webhook.b}}in{{/webhook.b}}"', { b: true }, '"in"'],
  ['false leaves it out', '"{{#webhook.b}}in{{/webhook.b}}"', { b: false }, '""'],
  ['null leaves it out', '"{{#webhook.b}}in{{/webhook.b}}"', { b: null }, '""'],
  ['an absent value leaves it out', '"{{#webhook.b}}in{{/webhook.b}}"', {}, '""'],
  ['an object is the element', '"{{#webhook.o}}Hi {{n}}.{{/webhook.o}}"', { o: { n: 'Lu' } }, '"Hi Lu."'],
  ['text is the element', '"{{#webhook.s}}{{.}}!{{/webhook.s}}"', { s: 'ho' }, '"ho!"'],
  [
    'each element of a list',
    '"{{#webhook.l}}{{n}}{{/webhook.l}}"',
    { l: [{ n: 1 }, { n: 2 }, { n: 3 }] },
    '"123"',
  ],
  ['an empty list leaves it out', '"{{#webhook.l}}Hm{{/webhook.l}}"', { l: [] }, '""'],
  [
    'two sections and text between',
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
  ['blanks around stay', ' | {{#webhook.b}}\t|\t{{/webhook.b}} | \n', { b: true }, ' | \t|\t | \n'],
  [
    'blanks and lines inside stay',
    ' | {{#webhook.b}} {{! note }}\n {{/webhook.b}} | \n',
    { b: true },
    ' |  \n  | \n',
  ],
  ['an indented section in a line', ' {{#webhook.b}}A{{/webhook.b}}\n', { b: true }, ' A\n'],
  [
    'lines of their own vanish',
    '| x\n{{#webhook.b}}\n|\n{{/webhook.b}}\n| y\n',
    { b: true },
    '| x\n|\n| y\n',
  ],
  [
    'indented lines of their own vanish',
    '| x\n  {{#webhook.b}}\n|\n  {{/webhook.b}}\n| y\n',
    { b: true },
    '| x\n|\n| y\n',
  ],
  ['with carriage returns', '|\r\n{{#webhook.b}}\r\n{{/webhook.b}}\r\n|', { b: true }, '|\r\n|'],
  ['on the first line', '  {{#webhook.b}}\n#{{/webhook.b}}\n/', { b: true }, '#\n/'],
  ['on the last line', '#{{#webhook.b}}\n/\n  {{/webhook.b}}', { b: true }, '#\n/\n'],
  ['blanks inside of the tags', '|{{# webhook.b }}={{/ webhook.b }}|', { b: true }, '|=|'],
]);

all('sections, where the profile differs', [
  ['no name of what is around', '({{#webhook.o}}{{n}}{{/webhook.o}})', { o: { x: 1 }, n: 'Lu' }, '()'],
  [
    'what is around is said from the top',
    '{{#webhook.o}}{{x}}{{webhook.n}}{{/webhook.o}}',
    { o: { x: 1 }, n: 'Lu' },
    '1Lu',
  ],
  ['blank text leaves it out', '({{#webhook.s}}in{{/webhook.s}})', { s: ' ' }, '()'],
]);

all('inverted sections', [
  ['false keeps what is inside', '"{{^webhook.b}}in{{/webhook.b}}"', { b: false }, '"in"'],
  ['true leaves it out', '"{{^webhook.b}}in{{/webhook.b}}"', { b: true }, '""'],
  ['null keeps it', '"{{^webhook.b}}in{{/webhook.b}}"', { b: null }, '"in"'],
  ['an object leaves it out', '"{{^webhook.o}}in{{/webhook.o}}"', { o: { n: 1 } }, '""'],
  ['a list leaves it out', '"{{^webhook.l}}in{{/webhook.l}}"', { l: [1] }, '""'],
  ['an empty list keeps it', '"{{^webhook.l}}in{{/webhook.l}}"', { l: [] }, '"in"'],
  ['an absent value keeps it', '"{{^webhook.b}}in{{/webhook.b}}"', {}, '"in"'],
  [
    'nested',
    '|A{{^webhook.b}} B{{^webhook.b}} C{{/webhook.b}} D{{/webhook.b}} E|',
    { b: false },
    '|A B C D E|',
  ],
  ['a dotted name', '{{^webhook.a.b}}in{{/webhook.a.b}}', { a: { b: false } }, 'in'],
  ['a broken chain', '{{^webhook.a.b}}in{{/webhook.a.b}}', { a: {} }, 'in'],
  [
    'lines of their own vanish',
    '| x\n{{^webhook.b}}\n|\n{{/webhook.b}}\n| y\n',
    { b: false },
    '| x\n|\n| y\n',
  ],
]);

all('comments', [
  ['are left out', 'a{{! note }}b', {}, 'ab'],
  ['of several lines', 'a{{!\n  note\n  more\n}}b\n', {}, 'ab\n'],
  ['on a line of their own take it along', 'a\n  {{! note }}\nb\n', {}, 'a\nb\n'],
  ['with lines of their own and carriage returns', '|\r\n{{! note }}\r\n|', {}, '|\r\n|'],
  ['behind text leave the line', ' 12 {{! 34 }}\n', {}, ' 12 \n'],
  ['are no names', 'x{{! webhook.a }}{{!webhook.a}}', { a: 1 }, 'x'],
]);
