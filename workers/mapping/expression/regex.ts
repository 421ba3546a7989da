import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { charge } from './meter.js';

/** Characters of a pattern. */
const MAX_PATTERN = 500;

/** Instructions of a compiled pattern. `(a{1,30}){1,30}` has 1,861. */
const MAX_PROGRAM = 500;

/** Instructions times characters in the time of one step. re2js needs up to 80 ns for one until its automaton is built. */
const SEARCHED_PER_STEP = 4;

/** Compiling a pattern takes up to a millisecond. */
const COMPILE_STEPS = 500;

/** Compiled patterns. A pattern is a literal of an expression, so there are few. */
const compiled = new LRUCache<string, RE2JS>({ max: 1_000 });

/** Returns what is wrong with a pattern, or null. The syntax is that of RE2, which has no backreferences and no lookaround. */
export function patternError(pattern: string): string | null {
  if (pattern.length > MAX_PATTERN) return `the pattern is longer than ${MAX_PATTERN} characters`;
  try {
    const regex = RE2JS.compile(pattern);
    if (regex.programSize() > MAX_PROGRAM)
      return 'the pattern is too complex; use fewer or smaller repetitions';
    return null;
  } catch (error) {
    return `the pattern is invalid: ${(error as Error).message.replace('error parsing regexp: ', '')}`;
  }
}

/**
 * Returns whether a pattern occurs in a text. Takes a time that grows with the length of the text and not faster.
 * @throws BudgetExceeded
 */
export const matches = (text: string, pattern: string): boolean => regexFor(pattern, text).test(text);

/**
 * Returns what the first group of a pattern matches, or the whole match if the pattern has no group, or null if there is no match.
 * @throws BudgetExceeded
 */
export function extract(text: string, pattern: string): string | null {
  const matcher = regexFor(pattern, text).matcher(text);
  if (!matcher.find()) return null;
  return matcher.group(matcher.groupCount() > 0 ? 1 : 0) ?? null;
}

function regexFor(pattern: string, text: string): RE2JS {
  let regex = compiled.get(pattern);
  if (!regex) {
    charge(COMPILE_STEPS);
    const error = patternError(pattern);
    if (error) throw new Error(error);
    regex = RE2JS.compile(pattern);
    compiled.set(pattern, regex);
  }
  charge((text.length * regex.programSize()) / SEARCHED_PER_STEP);
  return regex;
}
