import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { check, type VulnerableDiagnostics } from 'recheck';
import { splitFirstOf as splitInConsole } from '../../api/console/mapping/model/draft/split-first-of.js';
import { splitFirstOf } from '../../workers/mapping/template/check-tags.js';
import { cases } from '../support/effort.js';
import { type Pattern, patternsIn, patternsOfSources } from '../support/patterns.js';

/**
 * Patterns that recheck reports although they are linear, because it does not know that a match which may be empty never
 * backtracks. The last test measures them.
 */
const MEASURED: readonly string[] = [String.raw`(?:\["(?:[^"\\]|\\.)*"\]|\['[^']*'\]|[^|])*`];

/**
 * Patterns that were found to be linear, and for which recheck takes more than 0.1 s. It has the same result each time, so only
 * `TEST_EFFORT=2` checks them again. Remove a pattern from the list when you change it.
 */
const CHECKED: readonly string[] = JSON.parse(readFileSync('test/unit/checked-patterns.json', 'utf8'));

/** Files that build patterns from constants of their own or from the database's grants, never from text of a client. */
const BUILDERS: readonly string[] = [
  'api/routes/dialects/opsgenie/paths.ts',
  'db/access/account-rights.ts',
  'db/files/keys.ts',
  'workers/identities/parse/no-row.ts',
  'workers/identities/record/lost-value.ts',
  'workers/identities/record/suspicious-value.ts',
  'workers/mapping/payload/stated-truncation.ts',
  'workers/mapping/render/macros.ts',
  'workers/mapping/values/json-value.ts',
  'workers/mapping/values/placeholder.ts',
  'workers/queues/memory.ts',
  'workers/text/missing-values.ts',
];

/** Without a repetition of unlimited length, the time at each position is limited by the pattern itself. */
const isUnlimited = ({ source }: Pattern): boolean => /[*+]|,\}/.test(source);

/** Parsing all sources takes seconds, so it is done once. */
const SOURCES = patternsOfSources();

const textOf = ({ source, flags }: Pattern): string => `/${source}/${flags}`;

/** Returns the patterns whose time may grow faster than the text, each with a text that shows it. */
async function slowOnes(patterns: readonly Pattern[]): Promise<string[]> {
  const distinct = new Map(patterns.filter(isUnlimited).map((one) => [textOf(one), one]));
  const slow: string[] = [];
  const left = [...distinct];
  const work = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const [written, { file, source, flags }] = next;
      const result = await check(source, flags, { timeout: 120_000, randomSeed: 1 });
      if (result.status === 'vulnerable' && isSlow(new RegExp(source, flags), result))
        slow.push(`${file}: ${written}: ${result.attack.pattern}`);
      if (result.status === 'unknown') slow.push(`${file}: ${written}: ${result.error.kind}`);
    }
  };
  await Promise.all([work(), work()]);
  return slow;
}

/** CPU of a match, in µs. Quadratic patterns take seconds with the texts that recheck finds, linear ones a few ms. */
const SLOW_MATCH = 500_000;

/**
 * Returns whether a pattern is as slow as reported. recheck guesses the time of a pattern with a lookahead, and on a busy machine it has
 * reported a linear one, so these are measured.
 */
function isSlow(pattern: RegExp, { checker, complexity, attack }: VulnerableDiagnostics): boolean {
  if (checker !== 'fuzz' || complexity.type !== 'polynomial') return true;
  const from = process.cpuUsage();
  attack.string.replace(pattern, '');
  const { user, system } = process.cpuUsage(from);
  return user + system > SLOW_MATCH;
}

test('every regular expression takes time that grows with the text and not faster', async () => {
  const { literals } = SOURCES;
  expect(literals.length).toBeGreaterThan(200);
  const known = cases(1) > 1 ? [] : CHECKED;
  const unknown = literals.filter((one) => !MEASURED.includes(one.source) && !known.includes(textOf(one)));
  expect(await slowOnes(unknown)).toEqual([]);
}, 900_000);

test('only patterns of the sources are listed as checked', () => {
  const texts = new Set(SOURCES.literals.map(textOf));
  expect(CHECKED.filter((text) => !texts.has(text))).toEqual([]);
});

test('only listed files build regular expressions from text', () => {
  expect(SOURCES.builders.sort()).toEqual(BUILDERS);
  expect(patternsIn('some.ts', 'const own = (name: string) => RegExp(name);').isBuilder).toBe(true);
});

test.each([
  ['quadratic', String.raw`const name = text.replace(/\s+$/, '');`],
  ['quadratic', 'const TAG = /<.*>/;'],
  ['exponential', 'const HOST = z.string().regex(/^sns(?:[.-][a-z0-9-]+)*$/);'],
])('a pattern that is %s is found: %s', async (_, source) => {
  expect(await slowOnes(patternsIn('some.ts', source).literals)).toEqual([
    expect.stringContaining('some.ts: /'),
  ]);
});

test.each([
  ['server', splitFirstOf],
  ['console', splitInConsole],
])('the alternatives of a tag are split in linear time: %s', (_, split) => {
  const pieces = ['["', "['", '["|', "['|", '["\\', '["\\"', `["'`, `['"`, `["\\'']['"][""]["|']\\`];
  for (const piece of pieces) {
    const from = process.cpuUsage();
    split(`a|${piece.repeat(100_000 / piece.length)}`);
    const { user, system } = process.cpuUsage(from);
    // In quadratic time it would be minutes.
    expect({ piece, slow: user + system > 2_000_000 }).toEqual({ piece, slow: false });
  }
});
