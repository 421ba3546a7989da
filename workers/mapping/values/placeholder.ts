/** Words that stand for "no value" without brackets: in programming languages, in databases, in spreadsheets. */
const BARE = [
  'null',
  'nil',
  'none',
  'undefined',
  'n/a',
  '#n/a',
  'n.a.',
  '$null',
  '\\n',
  'map[]',
  'optional.empty',
  'optional(nil)',
  'variable is not defined!',
];

/** Words that stand for it in brackets. Without them, `unknown` and `missing` are states of a service. */
const BRACKETED = [
  ...BARE,
  '',
  'no value',
  'not set',
  'unset',
  'unknown',
  'undef',
  'missing',
  'missing value',
  'invalid value',
  'empty',
  'not available',
  'object object',
  'object undefined',
  'object null',
];

const BRACKETS = ['<>', '()', '[]', '{}', '**', '""', "''", '``'];

/** What Go prints for a value that is nil, by the verb of its format: `%!s(<nil>)`. */
const GO_VERBS = [...'svdqftxgegcbop'].flatMap((verb) => [`%!${verb}(<nil>)`, `%!${verb}(missing)`]);

/** Matches words that are values elsewhere, for example a measurement, but never identify a problem. */
const IN_KEYS = ['nan', '-', '--', '---'];

const WORDS: ReadonlySet<string> = new Set([
  ...BARE,
  ...GO_VERBS,
  ...BRACKETS.flatMap(([open, close]) => BRACKETED.map((word) => `${open}${word}${close}`)),
  '-- undefined --',
]);

const KEY_WORDS: ReadonlySet<string> = new Set([...WORDS, ...IN_KEYS]);

/** The lengths of the words that start with a character: bit N is set for N characters. By the character's code. */
const LENGTHS = lengthsOf(KEY_WORDS);

function lengthsOf(words: Iterable<string>): Uint32Array {
  const lengths = new Uint32Array(128);
  for (const word of words) {
    for (const first of [word[0] as string, (word[0] as string).toUpperCase()])
      (lengths[first.charCodeAt(0)] as number) |= 1 << word.length;
  }
  return lengths;
}

const [SPACE, MAX_LENGTH] = [0x20, 31];

/**
 * Returns whether a text is a placeholder: what a sender's software writes when it has no value, such as `<no value>`, `null` or
 * `*UNKNOWN*`. Two problems with the same placeholder have nothing in common. Ignores case and surrounding spaces. In a key there
 * are a few more of them.
 */
export function isPlaceholder(text: string, inKey = false): boolean {
  const word =
    text.charCodeAt(0) <= SPACE || text.charCodeAt(text.length - 1) <= SPACE
      ? text.slice(0, 1_000).trim()
      : text;
  if (word.length > MAX_LENGTH) return false;
  // First character and length decide almost always.
  const lengths = LENGTHS[word.charCodeAt(0)];
  if (!lengths || ((lengths >>> word.length) & 1) === 0) return false;
  return (inKey ? KEY_WORDS : WORDS).has(word.toLowerCase());
}

/** Returns whether a text names a placeholder: it is the word, or contains it between other characters than letters and digits. */
export function namesWord(text: string, placeholder: string): boolean {
  const [whole, word] = [text.toLowerCase(), placeholder.trim().toLowerCase()];
  for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + 1)) {
    const [before, after] = [whole[at - 1] ?? '', whole[at + word.length] ?? ''];
    if (!ALPHANUMERIC.test(before) && !ALPHANUMERIC.test(after)) return true;
  }
  return false;
}

const ALPHANUMERIC = /[\p{L}\p{N}]/u;
