import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';

const pages = execFileSync('git', ['ls-files', '*.md'], { encoding: 'utf8' }).split('\n').filter(Boolean);
const read = (page: string): string => readFileSync(page, 'utf8');

/** Names of files that a reader is to create. */
const PLACEHOLDER = /NOUN|VERB|NAME|NNN|FILE/;

test('every source file that a page names exists', () => {
  const named = pages
    .filter((page) => page !== 'CHANGELOG.md')
    .flatMap((page) =>
      [...read(page).matchAll(/`((?:api|workers|db|scripts|test)\/[\w./-]+\.(?:ts|tsx|mjs|json))`/g)].map(
        ([, file]) => [page, file as string] as const,
      ),
    )
    .filter(([, file]) => !PLACEHOLDER.test(file));
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter(([, file]) => !existsSync(file))).toEqual([]);
});

test('every link between pages leads to a file', () => {
  const links = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
      ([, link]) => [page, join(dirname(page), link as string)] as const,
    ),
  );
  expect(links.length).toBeGreaterThan(40);
  expect(links.filter(([, file]) => !existsSync(file))).toEqual([]);
});

test('every threat names a test that shows what stops it', () => {
  const rows = read('docs/security.md').match(/^\| .*$/gm) ?? [];
  const threats = rows.filter((row) => !/^\| (?:attack|source|---)/.test(row));
  expect(threats.length).toBeGreaterThan(30);
  expect(threats.filter((row) => !/`test\/[\w./-]+\.test\.ts` \|$/.test(row))).toEqual([]);
});

/** Pages of the architecture that are not decisions. */
const NO_DECISION = ['README', 'dependencies'];
test('a decision takes at most 40 lines', () => {
  const decisions = pages
    .map((page) => page.match(/^docs\/architecture\/([\w-]+)\.md$/)?.[1])
    .filter((name) => name !== undefined && !NO_DECISION.includes(name));
  const lines = (name: string | undefined) =>
    read(`docs/architecture/${name}.md`).trimEnd().split('\n').length;
  expect(decisions.length).toBeGreaterThan(30);
  expect(decisions.filter((name) => lines(name) > 40)).toEqual([]);
});

/** The rows of each table of hops: what the hop is, its file, its function. */
const traces = (): [string, string, string][][] =>
  read('docs/architecture/README.md')
    .split('| hop | file | function |')
    .slice(1)
    .map((text) =>
      [...(text.split('\n\n')[0] as string).matchAll(/^\| ([^|]+) \| `([^`]+)` \| `(\w+)` \|$/gm)].map(
        ([, hop, file, name]) => [hop, file, name] as [string, string, string],
      ),
    );
const names = (file: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(read(file));

test('every hop of a trace is one click: its file exports its function, and the file before names it', () => {
  const broken = traces().flatMap((hops) =>
    hops.filter(([hop, file, name], at) => {
      if (!new RegExp(`^export .*\\b${name}\\b`, 'm').test(read(file))) return true;
      const [, before = file] = hops[at - 1] ?? [];
      return !names(hop.endsWith('through the registry') ? 'workers/registry.ts' : before, name);
    }),
  );
  expect(traces().flat().length).toBeGreaterThan(30);
  expect(broken).toEqual([]);
});
