import { describe, expect, test } from '@jest/globals';
import { evaluate } from '../../../../workers/mapping/expression/index.js';
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
