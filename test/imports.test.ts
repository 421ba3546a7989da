import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from '@jest/globals';
import { type ModuleItem, parseSync } from '@swc/core';

/** Which floors each floor may import of ours, first match counts. The linter has the same as a list of what is forbidden. */
const MAY_IMPORT: [RegExp, RegExp][] = [
  [/^db\//, /^db\//],
  [/^workers\/queues\//, /^(workers\/queues|db)\//],
  [/^workers\/process\//, /^workers\/(process|queues)\//],
  [/^workers\/mapping\//, /^workers\/mapping\//],
  [/^workers\//, /^(workers|db)\//],
  [/^api\//, /^(api|workers\/queues|workers\/mapping|workers\/process|db)\//],
  [/^scripts\//, /^(scripts|api|workers|db)\//],
];

const files = ['db', 'workers', 'api', 'scripts'].flatMap((folder) =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('console'))
    .map((name) => join(folder, name)),
);

/** Every module that a file imports, re-exports or loads, in whatever form. */
function importsOf(file: string): string[] {
  const { body } = parseSync(readFileSync(file, 'utf8'), { syntax: 'typescript' });
  const named = body.flatMap((item: ModuleItem) =>
    'source' in item && item.source ? [item.source.value] : [],
  );
  const loaded = [...readFileSync(file, 'utf8').matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(
    ([, name]) => name as string,
  );
  return [...named, ...loaded].filter((name) => name.startsWith('.'));
}

test('every import goes to a floor that it may go to', () => {
  expect(files.length).toBeGreaterThan(50);
  const wrong = files.flatMap((file) => {
    const allowed = MAY_IMPORT.find(([from]) => from.test(file))?.[1] ?? /^$/;
    const targets = importsOf(file).map((name) => relative('.', join(dirname(file), name)));
    return targets.filter((target) => !allowed.test(target)).map((target) => `${file} → ${target}`);
  });
  expect(wrong).toEqual([]);
});
