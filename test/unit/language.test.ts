import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Habits that made texts hard to read, and what to write instead. */
const REJECTED: readonly [habit: RegExp, instead: string][] = [
  [/\banswer(s|ed|ing)?\b/i, 'a function returns, a server responds with, a promise resolves to'],
  [/\d %(?=[\s.,;:)'"`]|$)/, 'write a percentage without a space: 66%'],
  [/(?<!\bthere )\bis no (?!longer\b|more\b)/i, 'say what it is: "is invalid", "is not a number"'],
  [/\bwhoever\b/i, 'name the person or the program'],
  [/\banew\b/i, 'again, reloaded, rebuilt'],
  [/\bthat which\b/i, 'what'],
  [/\bis not right\b/i, 'is invalid'],
  [/\bbeside\b/i, 'next to, in addition to'],
  [/\bpatiently\b/i, 'say what is retried, and until when'],
  [/\bbe it\b/i, 'whether it is'],
];

/** This file, and texts as another product writes them. */
const EXCEPT = ['test/unit/language.test.ts', 'workers/mapping/catalogue/sources/prtg.ts'];
const files = execFileSync(
  'git',
  ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.js', '*.md', '*.yaml', '*.html'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file && !EXCEPT.includes(file));

function habitsIn(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      REJECTED.filter(([habit]) => habit.test(line)).map(
        ([, instead]) => `${file}:${index + 1}: ${line.trim()} (instead: ${instead})`,
      ),
    );
}

test('no text falls back into habits that are hard to read', () => {
  expect(files.length).toBeGreaterThan(500);
  expect(files.flatMap(habitsIn)).toEqual([]);
});

/** Words that have one meaning in code, where names may contain them, and what other names contain instead. */
const ONE_MEANING: readonly [word: RegExp, where: RegExp, instead: string][] = [
  [
    /^turns?$/,
    /upkeep|operations|retention/,
    'attempt at a job, place in a queue, yielding to the event loop',
  ],
  [/^surveys?$/, /^$/, 'validation pass'],
  [/^deaths?$/, /^$/, 'crash loop'],
  [/^(patient|patiently)$/, /^$/, 'retry while the database is unavailable'],
];
const NAME = /\b(?:const|let|function\*?|class|interface|type)\s+(\w+)/g;

/** Returns the words of a name: `nextTurn` has `next` and `turn`. */
const wordsOf = (name: string): string[] => name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase());

function otherMeaningsIn(file: string): string[] {
  const names = [...readFileSync(file, 'utf8').matchAll(NAME)].map(([, name = '']) => name);
  return names.flatMap((name) =>
    ONE_MEANING.filter(
      ([word, where]) => wordsOf(name).some((one) => word.test(one)) && !where.test(file),
    ).map(([, , instead]) => `${file}: ${name} (instead: ${instead})`),
  );
}

test('a word of the glossary has one meaning in code', () => {
  const server = files.filter((file) => /^(api\/(?!console)|workers|db)\/.*\.ts$/.test(file));
  expect(server.length).toBeGreaterThan(500);
  expect(server.flatMap(otherMeaningsIn)).toEqual([]);
  expect(wordsOf('nextTurn')).toEqual(['next', 'turn']);
});
