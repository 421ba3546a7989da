import { describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { evaluate } from '../../../../workers/mapping/expression/index.js';
import { patternSize } from '../../../../workers/mapping/expression/regex.js';
import { compileMapping, compileStored } from '../../../../workers/mapping/index.js';
import { cases } from '../../../support/effort.js';
import { compiled, errorsOf, scopeOf } from './expressions.js';

/** Patterns for which a backtracking engine takes exponential or quadratic time, with a text that it finds hard. */
const HOSTILE: readonly [pattern: string, part: string, end: string][] = [
  ['(a+)+$', 'a', '!'],
  ['(a|a)*$', 'a', '!'],
  ['(a|aa)+$', 'a', '!'],
  ['(a*)*$', 'a', '!'],
  ['((a*)*)*$', 'a', '!'],
  ['(.*a){20}', 'a', '!'],
  ['(.*)(.*)(.*)x$', 'a', '!'],
  ['\\s+$', ' ', 'x'],
  ['^\\s+|\\s+$', ' ', 'x'],
  ['(\\w+ ?)*$', 'word ', '!'],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a', '!'],
  ['(x+x+)+y', 'x', ''],
  ['(\\p{L}+)+\\d', 'ä', '!'],
  ['(a?){30}a{30}$', 'a', '!'],
];

/** Returns the steps that count for an expression with a text, and how it ended. */
function searched(source: string, text: string) {
  const scope = scopeOf({ text });
  const used: number[] = [];
  const step = scope.budget.step.bind(scope.budget);
  scope.budget.step = (count = 1) => {
    used.push(count);
    step(count);
  };
  scope.budget.startField();
  const result = evaluate(compiled(source), scope);
  return { result, steps: used.reduce((sum, count) => sum + count, 0) };
}

describe.each(['matches', 'extract'])('%s counts steps that grow with the length of the text', (name) => {
  test.each(HOSTILE)('%s', (pattern, part, end) => {
    const source =
      name === 'matches' ? `webhook.text.matches(r"${pattern}")` : `extract(webhook.text, r"${pattern}")`;
    const of = (times: number) => searched(source, part.repeat(times) + end);
    of(1); // Compiles the pattern, which counts as well.
    const [short, long] = [of(100), of(200)];
    expect([short.result, long.result]).not.toContainEqual({ exceeded: 'too_many_steps' });
    expect(long.steps).toBeGreaterThan(short.steps);
    expect(long.steps).toBeLessThanOrEqual(2 * short.steps);
    // A text of 1 MB uses up the budget of the field before the search starts.
    expect(of(1_000_000).result).toEqual({ exceeded: 'too_many_steps' });
  });
});

test.each([
  ['(a{1000}){1000}', /the pattern/],
  ['a{1001}', /the pattern is invalid/],
  ['(a{1,30}){1,30}', /too complex/],
  ['((a{100}){100}){100}', /the pattern/],
  ['(a)\\\\1', /the pattern is invalid/],
  ['(?=a)b', /the pattern is invalid/],
  ['(?!a)b', /the pattern is invalid/],
  ['(?<=a)b', /the pattern is invalid/],
  ['(?<!a)b', /the pattern is invalid/],
  ['(?>a+)b', /the pattern is invalid/],
  ['a**', /the pattern is invalid/],
  ['(a', /the pattern is invalid/],
  ['[z-a]', /the pattern is invalid/],
  [`${'a'.repeat(501)}`, /longer than 500 characters/],
])('the pattern %s is rejected when it is saved', (pattern, message) => {
  for (const call of [`"x".matches("${pattern}")`, `extract("x", "${pattern}")`]) {
    const errors = errorsOf(call, { result: 'value' });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(message);
  }
});

describe('the size of a pattern is estimated before it is compiled', () => {
  const PARTS =
    String.raw`a b é 😀 . \d \D \pL \p{Greek} [a-z] [^a-z] []a] [^]a] [[:alpha:]x] [\d-[:alpha:]a] [A-[:b:] [\]a] [а-я] \x{41}
    \x41 \101 \b ^ $ \Qab{3}\E \Q\E (?i) (?s) (?-i) (?i: (?: ( (?P<n> (?<m> ) ) ) ) | | * + ? *? {3} {2,} {0,7} {0} {1,40} {30}
    {999} {0,999} {01} {,4} {1, [ [: :] ] - \ \[ \] \Q \E { }`.split(/\s+/);
  const programSize = (pattern: string): number | null => {
    try {
      return RE2JS.compile(pattern).programSize();
    } catch {
      return null;
    }
  };

  test('no pattern compiles to more instructions than estimated', () => {
    const part = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 14 });
    let valid = 0;
    fc.assert(
      fc.property(part, fc.constantFrom(1, 1, 1, 5, 20), (parts, times) => {
        const pattern = parts.join('').repeat(times);
        const estimated = patternSize(pattern);
        // A larger one is never compiled, and takes long.
        const size = estimated > 2_000 ? null : programSize(pattern);
        if (size === null) return;
        valid += 1;
        expect(size).toBeLessThanOrEqual(estimated);
      }),
      { numRuns: cases(1_000) },
    );
    expect(valid).toBeGreaterThan(cases(200));
  });

  test.each([
    Array(50).fill('a{0,999}').join('|'),
    '(a{1,30}){1,30}',
    `${'(?:'.repeat(3)}ab${'){10}'.repeat(3)}`,
    `(?i)${'[\\x{100}-\\x{10fff0}]'.repeat(20)}`,
    '\\pL'.repeat(60),
  ])('%s is rejected without compiling it', (pattern) => {
    const compile = jest.spyOn(RE2JS, 'compile');
    try {
      expect(errorsOf(`"x".matches(r"${pattern}")`)).toEqual([expect.stringMatching(/too complex/)]);
      expect(compile).not.toHaveBeenCalled();
    } finally {
      compile.mockRestore();
    }
  });

  test.each([
    'a{480}',
    '(?:a?){240}',
    '(?i)[a-zà-öа-я]{3,60}',
    '^(?:[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}_-]*\\s?)+$',
  ])('%s is accepted', (pattern) => {
    expect(errorsOf(`"x".matches(r"${pattern}")`)).toEqual([]);
  });

  const field = (pattern: string) => ({ expression: `webhook.a.matches(r"${pattern}")` });
  const fields = (patterns: string[]) => ({
    fields: {},
    custom: Object.fromEntries(patterns.map((pattern, i) => [`f${i}`, field(pattern)])),
  });

  test('the patterns of a mapping have a limit together, and one that occurs again counts once', () => {
    const different = Array.from({ length: 25 }, (_, i) => `a{${450 + i}}`);
    const result = compileMapping(fields(different));
    expect('errors' in result && result.errors.map(({ field: at, message }) => `${at}: ${message}`)).toEqual(
      [21, 22, 23, 24].map((i) =>
        expect.stringMatching(new RegExp(`^custom.f${i}.expression: .*too complex together`)),
      ),
    );
    expect(compileMapping(fields(Array(50).fill('a{480}')))).toHaveProperty('mapping');
  });

  test('a mapping that was saved before there was the estimate still compiles, and its pattern still matches', () => {
    // 20 instructions, but 19,000 characters are folded.
    const old = fields([
      `(?i)^${'[\\x{100}-\\x{4e2}]*'.repeat(20)}Σ$`,
      '(?:b{0}){1000}a',
      '\\pL?'.repeat(60),
    ]);
    const earlier = fields(['(?:\\pL|\\pN|\\pM|\\pP){0,9}'.repeat(8)]);
    for (const mapping of [old, earlier]) {
      const result = compileStored(mapping);
      if ('errors' in result) throw new Error(JSON.stringify(result.errors));
      expect(compileMapping(mapping)).toHaveProperty('errors');
    }
  });
});
