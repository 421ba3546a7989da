import { describe, expect, test } from '@jest/globals';
import { compileYielding, normalizeValue } from '../../../../workers/mapping/index.js';
import { PORTION } from '../../../../workers/mapping/values/budget.js';
import { expectQuick, slowness } from '../../../support/cpu-time.js';
import { compiled } from '../mapping.js';
import { evaluated } from './expressions.js';

const ALERT_FIELDS = ['title', 'severity', 'description', 'source', 'service', 'environment', 'team'];
const CUSTOM_FIELDS = Array.from({ length: 50 }, (_, i) => `f${i}`);

/** Returns a mapping with an expression in all 57 fields, or in as many as the limit of all expressions allows. */
function everywhere(expression: string, split?: string) {
  const most = Math.floor(16_384 / expression.length);
  const filled = (names: string[]) => Object.fromEntries(names.map((name) => [name, { expression }]));
  return {
    ...(split && { split }),
    fields: filled(ALERT_FIELDS.slice(0, most)),
    custom: filled(CUSTOM_FIELDS.slice(0, Math.max(0, most - ALERT_FIELDS.length))),
  };
}

const MIB = 1_000_000;
const numbers = { list: Array.from({ length: 150_000 }, (_, i) => i) };
const objects = { list: Array.from({ length: 60_000 }, (_, i) => ({ a: i })) };
const text = { a: 'a'.repeat(MIB), b: `${'a'.repeat(15_000)}b`, words: 'a '.repeat(MIB / 2) };
const keys = { map: Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`k${i}`, i])) };
const items = { list: Array.from({ length: 1_000 }, (_, i) => ({ n: i, t: `text ${i}` })) };

const nested = (levels: number): string => {
  let inner = 'true';
  for (let level = levels; level > 0; level--) inner = `webhook.list.all(x${level}, ${inner})`;
  return inner;
};

const CASES: Record<string, [expression: string, payload: object, split?: string]> = {
  'nested comprehensions over a large list': [nested(5), numbers],
  'nested comprehensions over a literal list': [
    nested(8).replaceAll('webhook.list', '[1,2,3,4,5,6,7,8,9,10,1,2,3,4,5,6,7,8,9]'),
    {},
  ],
  'a comprehension whose errors `exists` ignores': [
    'webhook.list.exists(x, webhook.list.exists(y, y.no.such))',
    numbers,
  ],
  'map of a map': ['webhook.list.map(x, webhook.list.map(y, string(y)))', objects],
  'a list that doubles': ['[webhook.list].map(a, a + a).map(a, a + a).map(a, a + a).map(a, a + a)', numbers],
  'a text that doubles': ['[webhook.b].map(a, a + a).map(a, a + a).map(a, a + a).map(a, a + a)', text],
  'joining the same text': [
    'webhook.list.map(x, webhook.list[0]).join("x")',
    { list: Array(500).fill('x'.repeat(2_000)) },
  ],
  'comparing large values': [
    'webhook.list.exists(x, webhook == webhook.list || webhook.list == [x])',
    objects,
  ],
  'comparing large values that an expression made': [
    '[[webhook.list.map(x, x)]].map(a, a == [webhook.list.map(y, y)] && a != [webhook.list])',
    { list: items.list.slice(0, 300) },
  ],
  'searching a list for each of its elements': ['webhook.list.filter(x, x in webhook.list)', objects],
  'keys of a large map': ['webhook.map.all(k, size(webhook.map) > 1 && webhook.map[k] >= 0.0)', keys],
  'keys that are not texts in a large map': [
    '[1,2,3,4,5].map(k, has(webhook.map.x) || k in webhook.map)',
    keys,
  ],
  'a pattern with nested repetitions': ['webhook.b.matches("(a+)+$")', text],
  'a pattern with many states': ['webhook.b.matches(".*a.{20}$")', text],
  'a pattern that overlaps': ['extract(webhook.b, "(a|aa|aaa)*c{1,50}d")', text],
  'a pattern over a large text': ['webhook.a.matches("a*b") || webhook.words.matches("(\\\\w+ )+x")', text],
  'many short searches': ['webhook.list.exists(x, x.t.matches("(x+x+)+y"))', items],
  'splitting a large text': ['size(webhook.words.split(" ")) + size(webhook.words.split(""))', text],
  'replacing each letter': ['webhook.b.replace("a", webhook.b).size()', text],
  'counting characters': ['[1,2,3,4,5,6].map(x, size(webhook.a) + size(webhook.words))', text],
  'reading long numbers': ['int(webhook.digits) + int(webhook.digits)', { digits: '9'.repeat(MIB) }],
  'time zones': [
    'webhook.list.all(x, timestamp("2026-11-22T07:00:00Z").getHours("America/New_York") > 100)',
    numbers,
  ],
  'local times without a list': [
    `${Array(30).fill('timestamp(webhook.at).getHours("Europe/Berlin")').join(' + ')}`,
    { at: '2026-11-22T07:00:00Z' },
  ],
  'first of first': [`${'first('.repeat(8)}webhook.a${', webhook.x)'.repeat(8)}`, {}],
  '57 fields of many items': [
    'item.n > 500 && item.t.startsWith("text") ? item.t.upperAscii() : "low"',
    items,
    'list',
  ],
  '57 fields of many items that fail': ['item.t + item.n', items, 'list'],
  '57 fields of many items with a misspelled path': ['item.tt.lowerAscii()', items, 'list'],
};

describe('no expression holds the event loop, in 57 fields', () => {
  test.each(Object.entries(CASES))('%s', (_, [expression, payload, split]) => {
    const mapping = compiled(everywhere(expression, split));
    // Workers and the API do other work between portions.
    expectQuick(() => normalizeValue(mapping, payload as never, undefined, PORTION));
  });
});

test('a comprehension over a large list is stopped, not shortened', () => {
  expect(evaluated('webhook.list.all(x, x >= 0.0)', numbers)).toEqual({ exceeded: 'too_many_steps' });
  expect(evaluated('webhook.list.exists(x, x == 1.0) || true', numbers)).toEqual({
    exceeded: 'too_many_steps',
  });
  expect(evaluated('webhook.list[149999]', numbers)).toEqual({ value: 149_999 });
  expect(evaluated('size(webhook.list)', numbers)).toEqual({ value: 150_000 });
});

describe('no expression holds the event loop while it is compiled', () => {
  const repeated = (part: string, end: string) =>
    part.repeat(Math.floor((2_048 - end.length) / part.length)) + end;
  const matching = (pattern: string) => `"a".matches(r"${pattern.slice(0, 500)}")`;
  test.each([
    ['brackets', `${'('.repeat(24)}1${')'.repeat(24)}`],
    [
      'lists',
      Array(40)
        .fill(`${'['.repeat(23)}1${']'.repeat(23)}`)
        .join('=='),
    ],
    [
      'maps',
      Array(20)
        .fill(`${'{1:'.repeat(23)}1${'}'.repeat(23)}`)
        .join('=='),
    ],
    ['open brackets', Array(80).fill('(((((((((((((((((((((((').join('')],
    [
      'calls',
      Array(12)
        .fill(`${'webhook.a('.repeat(15)}1${')'.repeat(15)}`)
        .join('+'),
    ],
    ['conditions', repeated('a?b:', 'c')],
    ['a sum', repeated('1+', '1')],
    ['a path', `webhook${repeated('.b', '').slice(7)}`],
    ['minus', repeated('-', '1')],
    ['not', repeated('!', 'true')],
    ['a text', `"${'\\u0041'.repeat(340)}"`],
    ['comprehensions', nested(24).slice(0, 2_048)],
    ['first in a comprehension', `[1].map(x, ${'first('.repeat(22)}x${',1)'.repeat(22)})`],
    ['an alternative of repetitions', matching(Array(50).fill('a{0,999}').join('|'))],
    ['nested repetitions', matching('(?:a{1,30}){1,30}'.repeat(25))],
    ['repeated classes', matching('[a-z]{999}'.repeat(40))],
    ['ranges that ignore case', matching(`(?i)${'[\\x{100}-\\x{10fff0}]'.repeat(20)}`)],
    ['classes of Unicode', matching(`(?i)${'\\pL'.repeat(160)}`)],
    ['groups that repeat nothing', matching('(?:){0,1000}'.repeat(40))],
    ['many patterns', repeated('"a".matches("a{999}")||', 'true')],
    ['patterns just below the limit', repeated('"a".matches("a{0,480}")||', 'true')],
    [
      'classes of Unicode just below the limit',
      repeated(`${matching(`(?i)${'\\pL'.repeat(18)}`)}||`, 'true'),
    ],
    [
      'ranges just below the limit',
      repeated(`${matching(`(?i)${'[\\x{100}-\\x{1000}]'.repeat(15)}`)}||`, 'true'),
    ],
    ['no repetition', matching('(a?|b)'.repeat(80))],
  ])('%s, in 57 fields of 2,048 characters', async (_, expression) => {
    expect(expression.length).toBeLessThanOrEqual(2_048);
    const filled = (names: string[]) => Object.fromEntries(names.map((name) => [name, { expression }]));
    const mapping = { fields: filled(ALERT_FIELDS), custom: filled(CUSTOM_FIELDS) };
    // The least of three, because the first run also compiles the code.
    const blocks = [await longestBlock(mapping), await longestBlock(mapping), await longestBlock(mapping)];
    expect(Math.min(...blocks)).toBeLessThan(75 * slowness());
  });
});

/** Returns the CPU time in ms of the longest part of compiling that runs without a pause. */
async function longestBlock(mapping: object): Promise<number> {
  let [longest, before] = [0, process.cpuUsage()];
  const endBlock = () => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.cpuUsage();
  };
  await compileYielding(mapping, async () => endBlock());
  endBlock();
  return longest;
}
