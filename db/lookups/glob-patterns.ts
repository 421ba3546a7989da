/** Rows of a table with `glob`. Each is tried until one fits. */
export const MAX_PATTERNS = 1_000;
/** Characters of a key that is compared with patterns: the time grows with them. */
const MAX_KEY = 1_000;
/** A few milliseconds. */
const COMPARED_AT_ONCE = 1_000_000;
const PATTERN_OVERHEAD = 100;

/** The pattern that fits a key. */
export interface Fitting {
  /** Null: none does. */
  key: string | null;
  /** How many characters were compared. */
  compared: number;
}

interface Pattern {
  key: string;
  text: string;
  /** Its characters other than wildcards. */
  literals: number;
  place: number;
  /** What it has before its first wildcard, after its last one, and {@link MAX_PART} characters of its longest part between wildcards. */
  start: string;
  end: string;
  part: string;
}

/** Characters that a key is searched for before it is compared. More would take longer for a key that repeats one character. */
const MAX_PART = 16;

/** The key patterns of a table: `*` stands for any text, `?` for one character. */
export class GlobPatterns {
  /** Approximate characters that it holds. */
  readonly size: number;
  /** Those that start with a wildcard, and the others by their first character, the best first. */
  readonly #anyStart: readonly Pattern[];
  readonly #byStart = new Map<string, Pattern[]>();

  constructor(keys: readonly string[]) {
    const patterns = keys
      .map((key, place): Pattern => {
        const text = key.trim().normalize('NFC');
        const parts = text.split(/[*?]+/);
        const longest = parts.reduce((one, other) => (other.length > one.length ? other : one));
        const [start = '', end = ''] = [parts[0], parts.at(-1)];
        const literals = parts.reduce((sum, { length }) => sum + length, 0);
        return { key, text, literals, place, start, end, part: longest.slice(0, MAX_PART) };
      })
      .sort(byRank);
    this.size = patterns.reduce((sum, { text }) => sum + text.length + PATTERN_OVERHEAD, PATTERN_OVERHEAD);
    this.#anyStart = patterns.filter(({ text }) => /^[*?]/.test(text));
    for (const pattern of patterns) {
      const start = pattern.text.charAt(0);
      const others = this.#byStart.get(start);
      if (others) others.push(pattern);
      else this.#byStart.set(start, [pattern]);
    }
  }

  /**
   * Returns the key with the most literal characters that fits, the first of several, or null if none does, and how many characters were compared.
   * Yields whenever these were many: all patterns may take a second.
   */
  *search(sent: string): Generator<void, Fitting> {
    const key = sent.trim().normalize('NFC');
    if (key.length > MAX_KEY) return { key: null, compared: 0 };
    const found: Pattern[] = [];
    const steps = { count: 0 };
    let next = COMPARED_AT_ONCE;
    for (const some of [this.#byStart.get(key.charAt(0)), this.#anyStart]) {
      for (const pattern of some ?? []) {
        if (!mayMatch(pattern, key)) continue;
        if (matches(pattern.text, key, steps)) {
          found.push(pattern);
          break;
        }
        if (steps.count < next) continue;
        next = steps.count + COMPARED_AT_ONCE;
        yield;
      }
    }
    yield;
    return { key: found.sort(byRank)[0]?.key ?? null, compared: steps.count };
  }
}

const ANY_TEXT = 0x2a;
const ANY_CHARACTER = 0x3f;

/** Returns how many UTF-16 units the character at a place has. */
const widthAt = (text: string, place: number): number => ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1);

const byRank = (a: Pattern, b: Pattern): number => b.literals - a.literals || a.place - b.place;

/** Returns false for most patterns that do not fit. Takes a fraction of the time of comparing them. */
const mayMatch = ({ literals, start, end, part }: Pattern, key: string): boolean =>
  literals <= key.length && key.endsWith(end) && key.startsWith(start) && key.includes(part);

/** Goes back to the last `*` only, which is enough: an earlier one could not let the rest fit if the last one cannot. */
function matches(pattern: string, key: string, steps: { count: number }): boolean {
  let [at, place, star, from] = [0, 0, -1, 0];
  while (place < key.length) {
    steps.count += 1;
    // Beyond the end of the pattern it is NaN, which equals nothing.
    const wanted = pattern.charCodeAt(at);
    if (wanted === ANY_TEXT) {
      [star, from] = [at, place];
      at += 1;
    } else if (wanted === ANY_CHARACTER) {
      at += 1;
      place += widthAt(key, place);
    } else if (wanted === key.charCodeAt(place)) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      from += widthAt(key, from);
      [at, place] = [star + 1, from];
    } else return false;
  }
  while (pattern.charCodeAt(at) === ANY_TEXT) at += 1;
  return at === pattern.length;
}
