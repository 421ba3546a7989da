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

test('every hop of a trace exists: the file exports its function', () => {
  const hops = [
    ...read('docs/architecture/README.md').matchAll(/^\| [^|]+ \| `([^`]+)` \| `(\w+)` \|$/gm),
  ].map(([, file, name]) => [file as string, name as string] as const);
  expect(hops.length).toBeGreaterThan(20);
  const isExported = ([file, name]: readonly [string, string]): boolean =>
    new RegExp(`^export .*\\b${name}\\b`, 'm').test(read(file));
  expect(hops.filter((hop) => !isExported(hop))).toEqual([]);
});
