import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
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

/** The rooms of identities, where an account belongs to an account system. Other rooms know integrations, which send events. */
const OF_IDENTITIES =
  /^(api\/(routes|console)\/identities|workers\/(identities|worklist)|db\/identities|scripts\/(upload|bench\/import))\//;

/**
 * Words that have one meaning in code, the files whose names must not contain them, and what those contain instead. A name is
 * compared as its words: `nextTurn` as `next turn`.
 */
const ONE_MEANING: readonly [words: RegExp, wrongIn: RegExp, instead: string][] = [
  [
    /\bturns?\b/,
    /^(?!.*(upkeep|operations|retention))/,
    'attempt at a job, place in a queue, yielding to the event loop',
  ],
  [/\bsurveys?\b/, /^/, 'validation pass'],
  [/\bdeaths?\b/, /^/, 'crash loop'],
  [/\b(patient|patiently)\b/, /^/, 'retry while the database is unavailable'],
  // The API calls the number of an account system `integrationId`.
  [/\bintegrations?\b(?! ids?\b)/, OF_IDENTITIES, 'accountSystem, or integrationId for its number'],
];

/** Names that are stored, or that users type. */
const KEPT = [
  'workers/identities/spool/spool-manifest.ts: namedIntegrations',
  'scripts/upload/command-line.ts: integrations',
];

const COMMENTS = /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const NAMES =
  /\b(?:const|let|function\*?|class|interface|type)\s+(\w+)|(?:^|[({,])\s*(?:(?:readonly|static|async)\s+)*#?(\w+)(?:\?|!)?[:(]/gm;

/** Returns the words of a name: `nextTurn` has `next` and `turn`. */
const wordsOf = (name: string): string =>
  name
    .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
    .replaceAll('_', ' ')
    .toLowerCase();

/** Returns the names that a source declares: of variables, functions, types, parameters and properties. */
const declaredIn = (source: string): string[] =>
  [...source.replace(COMMENTS, '').matchAll(NAMES)].map(([, name, member]) => name ?? member ?? '');

function otherMeaningsIn(file: string, source = readFileSync(file, 'utf8')): string[] {
  const rules = ONE_MEANING.filter(([, wrongIn]) => wrongIn.test(file));
  const names = [
    basename(file)
      .replace(/\.\w+$/, '')
      .replaceAll('-', '_'),
    ...declaredIn(source),
  ];
  return names
    .filter((name) => !KEPT.includes(`${file}: ${name}`))
    .flatMap((name) =>
      rules
        .filter(([words]) => words.test(wordsOf(name)))
        .map(([, , instead]) => `${file}: ${name} (instead: ${instead})`),
    );
}

test('a word of the glossary has one meaning in code', () => {
  const code = files.filter((file) => /^(api|workers|db|scripts)\/.*\.tsx?$/.test(file));
  expect(code.length).toBeGreaterThan(1000);
  expect(code.flatMap((file) => otherMeaningsIn(file))).toEqual([]);
});

test.each([
  ['const NEXT_TURN = 1;', 'NEXT_TURN'],
  ['function read(ofIntegration: string) {}', 'ofIntegration'],
  ['interface Found {\n  readonly namedIntegrations?: number[];\n}', 'namedIntegrations'],
  ['class Index {\n  static async #integrationsOf(a: number) {}\n}', 'integrationsOf'],
])('a name with another meaning is found in %j', (source, name) => {
  expect(otherMeaningsIn('db/identities/some.ts', source)).toEqual([expect.stringContaining(`: ${name} (`)]);
  const others = '/** An integration */\nconst listIntegrationIds = 1, overturned = 2, returns = 3;';
  expect(otherMeaningsIn('db/identities/some.ts', others)).toEqual([]);
});
