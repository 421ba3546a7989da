import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

/** Habits that made texts hard to read, and what to write instead. */
const REJECTED: readonly [habit: RegExp, instead: string][] = [
  [/\banswers\b/i, 'a function returns, a server responds with, a promise resolves to'],
  [/(?<!\bthere )\bis no (?!longer\b|more\b)/i, 'say what it is: "is invalid", "is not a number"'],
  [/\bwhoever\b/i, 'name the person or the program'],
  [/\banew\b/i, 'again, reloaded, rebuilt'],
  [/\bthat which\b/i, 'what'],
  [/\bis not right\b/i, 'is invalid'],
];

const THIS_FILE = 'test/unit/language.test.ts';
const files = execFileSync(
  'git',
  ['ls-files', '*.ts', '*.tsx', '*.mjs', '*.js', '*.md', '*.yaml', '*.html'],
  {
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file && file !== THIS_FILE);

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
