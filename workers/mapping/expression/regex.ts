import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { charge } from './meter.js';

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
    const reason = error instanceof Error ? error.message : String(error);
    return `the pattern is invalid: ${reason.replace('error parsing regexp: ', '')}`;
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

/** What reading a class of Unicode such as `\p{L}` takes, in the time of one instruction: it has up to 1,300 ranges. */
const UNICODE_CLASS = 50;

/** Characters of a range such as `[a-z]` that ignore case one by one, in the time of one instruction. */
const FOLDED_PER_INSTRUCTION = 64;

/** A larger count is an error of the syntax, which is found before anything is repeated. */
const MAX_REPEAT = 1_000;

/** The flag that ignores case. Where it ends does not matter for an upper bound. */
const IGNORES_CASE = /\(\?\w*i/;

/** One token outside classes, in the order in which the library looks for them. */
const TOKEN =
  /\{(?<least>0|[1-9]\d*)(?<range>,(?<most>0|[1-9]\d*)?)?\}|(?<mark>[*+?])|\\Q(?<quoted>.*?)(?:\\E|$)|(?<unicode>\\[pP](?:\{[^}]*\}|.))|(?<class>\[\^?)|(?<flags>\(\?[\w-]*\))|(?<open>\((?:\?(?:P?<\w*>|[\w-]*:))?)|(?<close>\))|(?<bar>\|)|\\x\{[^}]*\}|\\?./suy;

/** One member of a class: a named class, one of Unicode, a class such as `\d`, a character, or a range. */
const MEMBER =
  /\[:.*?:\]|(?<unicode>\\[pP](?:\{[^}]*\}|.))|\\[dDsSwW]|(?<low>\\x\{[^}]*\}|\\x..|\\[0-7]{1,3}|\\?.)(?:-(?<high>\\x\{[^}]*\}|\\x..|\\[0-7]{1,3}|\\.|[^\\\]]))?/suy;

interface Group {
  /** The size of what the group has so far, without its last part. */
  before: number;
  /** The size of its last part, which a repetition multiplies. */
  last: number;
  /** Whether it is numbered, which takes two instructions. */
  captures: boolean;
}

/**
 * Returns how many instructions a pattern compiles to at most, plus what reading its classes takes in the time of instructions.
 * Compiles nothing: a pattern of 449 characters may take half a second. The program can be smaller, because the compiler also
 * simplifies. The size of a pattern with an error has no meaning, but is found as quickly.
 */
export function patternSize(pattern: string): number {
  const folds = IGNORES_CASE.test(pattern);
  const outer: Group[] = [];
  let group: Group = { before: 0, last: 0, captures: false };
  let reading = 0;
  const add = (size: number) => {
    group.before += group.last;
    group.last = size;
  };
  for (let at = 0; at < pattern.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(pattern)?.groups ?? {};
    at = TOKEN.lastIndex;
    if (token.least !== undefined) group.last = repeated(group.last, token);
    else if (token.mark) group.last += token.mark === '*' ? 2 : 1;
    else if (token.quoted !== undefined) for (const _ of token.quoted) add(1);
    else if (token.class) {
      const read = readClass(pattern, at, folds);
      at = read.end;
      reading += read.size;
      add(1);
    } else if (token.open) {
      outer.push(group);
      group = { before: 0, last: 0, captures: !/^\(\?[^P<]/.test(token.open) };
    } else if (token.close) {
      const size = Math.max(1, group.before + group.last) + (group.captures ? 2 : 0);
      group = outer.pop() ?? group;
      add(size);
    } else if (token.bar) {
      add(2);
      add(0);
    } else if (!token.flags) {
      // Flags add nothing, and a repetition after them multiplies what is before them.
      if (token.unicode) reading += UNICODE_CLASS;
      add(1);
    }
  }
  for (const { before, last } of outer) group.before += before + last;
  return reading + group.before + group.last + 3;
}

/** Returns the size of a part with a count such as `{2,5}`. */
function repeated(size: number, { least, range, most }: Record<string, string | undefined>): number {
  const [min, max] = [Number(least), Number(most ?? least)];
  if (min > MAX_REPEAT || max > MAX_REPEAT) return size;
  const optional = most === undefined && range ? 2 : Math.max(0, max - min) * (size + 1);
  return Math.max(1, range && most === undefined ? Math.max(1, min) * size : min * size) + optional;
}

/** Reads a class after its bracket. Returns where it ends, and what reading it takes in the time of instructions. */
function readClass(pattern: string, start: number, folds: boolean): { end: number; size: number } {
  let [end, size] = [start, 0];
  while (end < pattern.length && (end === start || pattern[end] !== ']')) {
    MEMBER.lastIndex = end;
    const { unicode, low, high } = MEMBER.exec(pattern)?.groups ?? {};
    end = MEMBER.lastIndex;
    if (unicode) size += UNICODE_CLASS;
    else if (folds && low && high) size += (codeOf(high) - codeOf(low)) / FOLDED_PER_INSTRUCTION;
  }
  return { end: end + 1, size: Math.max(0, size) };
}

/** Returns the code point of a character or of an escape such as `\x{e4}`, `\xe4`, `\344` or `\n`. */
function codeOf(character: string): number {
  const hex = /^\\x\{?([\da-f]+)/i.exec(character)?.[1];
  if (hex) return Number.parseInt(hex, 16);
  const octal = /^\\([0-7]+)$/.exec(character)?.[1];
  return octal ? Number.parseInt(octal, 8) : (character.codePointAt(character.length > 1 ? 1 : 0) ?? 0);
}
