import { expect, test } from '@jest/globals';
import { MAX_EXPRESSION } from '../../../../workers/mapping/expression/index.js';
import { compiled, errorsOf } from './expressions.js';

test.each([
  ['', ['syntax_error @0: the expression is blank']],
  ['webhook.a ==', ['syntax_error @12: a value is missing after ==']],
  ['webhook.a && (', ['syntax_error @13: ( is not closed; add )']],
  ['"abc', ['syntax_error @0: the text is not closed; add a quote']],
  ['webhook.a = 1', ['syntax_error @10: write == to compare']],
  ['webhook.a === 1', ['syntax_error @10: write == or !=']],
  ['webhook.a)', ['syntax_error @9: ) closes a bracket that is not open']],
  ['[webhook.a)', ['syntax_error @10: write ] before )']],
  ['webhook.a and webhook.b', ['syntax_error @10: write && for "and" and || for "or"']],
  [
    'if (webhook.a) "b"',
    ['syntax_error @0: "if" is a reserved word; write condition ? value : other for "if"'],
  ],
  [
    '"x" + {{webhook.a}}',
    [
      'syntax_error @6: an expression has no tags; write webhook.path without {{ and }}',
      'syntax_error @17: } closes a bracket that is not open',
    ],
  ],
  ['webhook.null', ['syntax_error @8: write ["null"] for a key with this name']],
  ['99999999999999999999', ['syntax_error @0: the number has more than 64 bits']],
])('%s has a syntax error with a position', (source, errors) => {
  expect(errorsOf(source)).toEqual(errors);
});

test.each([
  ['title', ['unknown_name @0: "title" is not a variable; write webhook.title, or "title" for a text']],
  [
    'webhook.a.toLowerCase()',
    ['unknown_function @9: "toLowerCase" is not a function; did you mean lowerAscii?'],
  ],
  ['webhook.a.extract("x")', ['unknown_function @9: "extract" is written as extract(value)']],
  ['lowerAscii(webhook.a)', ['unknown_function @0: "lowerAscii" is written as value.lowerAscii()']],
  ['"a" + 1', ['type_error @3: + cannot be applied to string and int; string(x) makes a text of a value']],
  [
    'double("1") % 2',
    ['type_error @11: % cannot be applied to double and int; int(x) makes an integer of a number'],
  ],
  [
    'size(1)',
    ['type_error @0: size(int) does not exist; there is size(bytes), size(list), size(string), size(map)'],
  ],
  ['1 && true', ['type_error @0: a condition must be true or false; this is of type int']],
  ['"a".b', ['type_error @0: a value of type string has no field "b"']],
  ['webhook.a.exists(1, true)', ['type_error @9: exists is written as list.exists(x, x.a > 0)']],
  ['has(webhook)', ['type_error @0: has is written as has(webhook.a.b)']],
  ['a.b.C{d: 1}', ['type_error @0: messages such as a.b.C{} are not supported']],
  ['webhook.a.matches("(")', ['invalid_pattern @18: the pattern is invalid: missing closing ): `(`']],
  ['webhook.a.matches(webhook.b)', ['invalid_pattern @18: the pattern must be a text in quotes']],
])('%s has an error with a reason', (source, errors) => {
  expect(errorsOf(source)).toEqual(errors);
});

test('reports all errors at once, in order', () => {
  expect(errorsOf('webhook.a.toLowerCase() == foo && 1')).toEqual([
    'unknown_function @9: "toLowerCase" is not a function; did you mean lowerAscii?',
    'unknown_name @27: "foo" is not a variable; write webhook.foo, or "foo" for a text',
    'type_error @34: a condition must be true or false; this is of type int',
  ]);
});

test('`item` needs a split', () => {
  expect(errorsOf('item.a')).toEqual([]);
  expect(errorsOf('item.a', { split: false })).toEqual([
    'no_item @0: "item" can be used only if the mapping has a split; start with webhook',
  ]);
});

test('a condition must be able to be true or false', () => {
  expect(errorsOf('webhook.a', { result: 'bool' })).toEqual([]);
  expect(errorsOf('webhook.a + "b"', { result: 'bool' })).toEqual([
    'type_error @10: the expression must be true or false; this is of type string',
  ]);
});

test('limits length, brackets and parts', () => {
  expect(errorsOf(`"${'a'.repeat(MAX_EXPRESSION)}"`)).toEqual([
    'expression_too_long @2048: the expression is longer than 2,048 characters',
  ]);
  expect(errorsOf(`${'['.repeat(25)}${']'.repeat(25)}`)).toEqual([
    'syntax_error @24: brackets are nested more than 24 deep',
  ]);
  expect(errorsOf(`1${'+1'.repeat(600)}`)).toEqual([
    'too_complex @0: the expression has too many parts; split it into several fields',
  ]);
});

test('an alternative of first() is counted once, however deeply it is nested', () => {
  const nested = (depth: number) =>
    compiled(`${'first('.repeat(depth)}webhook.a${', 1)'.repeat(depth)}`).steps;
  expect(nested(20) - nested(10)).toBe(nested(10) - nested(0));
});

test('lists the paths that the expression names, without those of elements', () => {
  const { paths, usesItem } = compiled(
    'webhook.a["b.c"][0] == item.x && webhook.list.exists(item, item.y == webhook.z)',
  );
  expect(paths.map(({ text }) => text)).toEqual([
    'webhook.a["b.c"][0]',
    'item.x',
    'webhook.list',
    'webhook.z',
  ]);
  expect(usesItem).toBe(true);
  expect(compiled('webhook.list.map(item, item.y)').usesItem).toBe(false);
});
