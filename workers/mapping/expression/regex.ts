import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { charge } from './meter.js';
import { patternSize } from './pattern-size.js';

/** Characters of a pattern. */
const MAX_PATTERN = 500;

/** Instructions of a compiled pattern. `(a{1,30}){1,30}` has 1,861. */
const MAX_PROGRAM = 500;

/** What compiling one pattern, and all patterns of a mapping, may take, in the time of one instruction: up to 5 µs. */
const MAX_SIZE = { pattern: 2 * MAX_PROGRAM, mapping: 10_000 };

/** Instructions times characters in the time of one step. re2js needs up to 80 ns for one until its automaton is built. */
const SEARCHED_PER_STEP = 4;

/** What it costs to compile a pattern that the cache has lost. */
const COMPILE_STEPS = 500;

/** Compiled patterns. A pattern is a literal of an expression, so there are few. */
const compiled = new LRUCache<string, RE2JS>({ max: 1_000 });

/** Checks the patterns of one mapping, and counts what compiling them takes. A pattern that occurs again takes nothing. */
export class PatternBudget {
  readonly #checked = new Map<string, string | null>();
  #left = MAX_SIZE.mapping;

  /** Returns what is wrong with a pattern, or null. Compiles it only if it is small enough. */
  errorOf(pattern: string): string | null {
    const checked = this.#checked.get(pattern);
    if (checked !== undefined) return checked;
    const error = this.#check(pattern);
    this.#checked.set(pattern, error);
    return error;
  }

  #check(pattern: string): string | null {
    if (pattern.length > MAX_PATTERN) return tooLong;
    const size = patternSize(pattern);
    if (size > MAX_SIZE.pattern) return tooComplex;
    this.#left -= size;
    if (this.#left < 0)
      return 'the patterns of this mapping are too complex together; use fewer or simpler ones';
    return compileError(pattern);
  }
}

const tooLong = `the pattern is longer than ${MAX_PATTERN} characters`;
const tooComplex = 'the pattern is too complex; use fewer or smaller repetitions and classes';

/**
 * Compiles a pattern. Returns what is wrong with it, or null. The syntax is that of RE2, which has no backreferences and no
 * lookaround. A pattern that was not checked by a `PatternBudget` may take half a second.
 */
export function compileError(pattern: string): string | null {
  if (compiled.has(pattern)) return null;
  try {
    const regex = RE2JS.compile(pattern);
    if (regex.programSize() > MAX_PROGRAM) return tooComplex;
    compiled.set(pattern, regex);
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
    regex = RE2JS.compile(pattern);
    compiled.set(pattern, regex);
  }
  charge((text.length * regex.programSize()) / SEARCHED_PER_STEP);
  return regex;
}
