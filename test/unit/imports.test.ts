import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesInCycles, importsOf } from '../support/imports.js';

interface Floor {
  /** Which files are on it. */
  files: RegExp;
  /** What of ours they may import. */
  may: RegExp;
  /** What else, as long as it is for its types. */
  mayForTypes?: RegExp;
}

/** First match counts. The linter has the same as a list of what is forbidden. */
const FLOORS: Floor[] = [
  { files: /^db\//, may: /^db\// },
  { files: /^workers\/queues\//, may: /^(workers\/(queues|identities\/record)|db)\// },
  { files: /^workers\/identities\/record\//, may: /^workers\/identities\/record\// },
  { files: /^workers\/process\//, may: /^(workers\/(process|queues)|db)\// },
  { files: /^workers\/mapping\//, may: /^workers\/mapping\// },
  { files: /^workers\//, may: /^(workers|db)\// },
  {
    files: /^api\/console\//,
    may: /^api\/console\//,
    mayForTypes: /^(api\/(routes|jobs)|workers\/mapping|workers\/queues|db)\//,
  },
  {
    files: /^api\//,
    may: /^((workers\/(queues|mapping|process|identities\/record)|db)\/|api\/(?!console\/))/,
  },
  { files: /^scripts\//, may: /^((scripts|workers|db)\/|api\/(?!console\/))/ },
];

const files = ['db', 'workers', 'api', 'scripts'].flatMap((folder) =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
);

/** The imports of a file that go where they may not. */
function wrongIn(file: string, source?: string): string[] {
  const floor = FLOORS.find(({ files }) => files.test(file));
  return importsOf(file, source)
    .filter(
      ({ target, typesOnly }) =>
        !(floor?.may.test(target) || (typesOnly && floor?.mayForTypes?.test(target))),
    )
    .map(({ target }) => `${file} → ${target}`);
}

test('every import goes to a floor that it may go to', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => wrongIn(file))).toEqual([]);
});

const page = 'api/console/pages/keys.tsx';
const keys = '../../routes/access/keys.js';

test.each([
  `import { getCurrentKey } from '${keys}';`,
  `import { type Key } from '${keys}';`,
  `import '${keys}';`,
  `import keys = require('${keys}');`,
  `export { getCurrentKey } from '${keys}';`,
  `export * from '${keys}';`,
  `const keys = () => import('${keys}');`,
  `const keys = import(\`${keys}\`);`,
  `const keys = require('${keys}');`,
  `const keys = import.meta.glob('${keys}');`,
  `const keys = new URL('${keys}', import.meta.url);`,
  `const view = <p>{import('${keys}')}</p>;`,
])('the console runs nothing of the server: %s', (source) => {
  expect(wrongIn(page, source)).toEqual([`${page} → api/routes/access/keys.js`]);
});

test.each([
  `import type { Key } from '${keys}';`,
  `import type * as keys from '${keys}';`,
  `export type { Key } from '${keys}';`,
  `export type * from '${keys}';`,
  `type Key = import('${keys}').Key;`,
])('it may use its types: %s', (source) => {
  expect(wrongIn(page, source)).toEqual([]);
});

test('it may use the types of the contract alone, and nobody may use anything of the console', () => {
  const types = (from: string) => `import type { Some } from '${from}';`;
  expect(wrongIn(page, types('../../services.js'))).toHaveLength(1);
  expect(wrongIn(page, types('../../../workers/jobs/upkeep.js'))).toHaveLength(1);
  expect(wrongIn(page, types('../../../scripts/start.js'))).toHaveLength(1);
  expect(wrongIn('api/server/mount.ts', types('../console/main.js'))).toHaveLength(1);
  expect(wrongIn('api/server/mount.ts', types('../routes/operations/console-files.js'))).toEqual([]);
  expect(wrongIn('scripts/start.ts', types('../api/console/main.js'))).toHaveLength(1);
  expect(wrongIn('db/events/alerts.ts', types('../../api/console/main.js'))).toHaveLength(1);
});

/** Source files by the path under which others import them. */
const sourceOf = new Map(files.map((file) => [file.replace(/\.tsx?$/, '.js'), file]));

test('no files import each other in a circle, types included', () => {
  const imports = new Map(
    files.map((file) => {
      const targets = importsOf(file).map(({ target }) => sourceOf.get(target) ?? target);
      return [file, [...new Set(targets)]];
    }),
  );
  expect(Object.fromEntries(filesInCycles(imports))).toEqual({});
});

test('a circle is found whatever its length, and what only leads there or away from it is not part of it', () => {
  const imports = new Map([
    ['start', ['a']],
    ['a', ['b', 'leaf']],
    ['b', ['c']],
    ['c', ['a', 'leaf']],
    ['leaf', []],
    ['own', ['own']],
  ]);
  expect(filesInCycles(imports)).toEqual(
    new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a']],
      ['own', ['own']],
    ]),
  );
});
