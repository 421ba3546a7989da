import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesInCycles, importsOf, packagesOf } from '../support/imports.js';
import { EVERY_ROOM, ROOMS, roomOf, SHARED_FILES } from '../support/rooms.js';

/** Parts outside of the server's rooms, and what they may import. */
const OTHERS: readonly { files: RegExp; may: RegExp; mayForTypes?: RegExp }[] = [
  // The console is built separately and runs in browsers: it may only use types of the server, how a number is written, where
  // accounts are shown, and the names of the rules of worklists.
  {
    files: /^api\/console\//,
    may: /^(api\/console\/|workers\/text\/(quantities|account-url|account-system-kinds|worklist-rules)\.)/,
    mayForTypes: /^(api\/(routes|jobs)|workers\/mapping|workers\/queues|workers\/outbox\/presets|db)\//,
  },
  // Scripts are built without tests and without the console.
  { files: /^scripts\//, may: /^((scripts|workers|db)\/|api\/(?!console\/))/ },
];

const files = ['db', 'workers', 'api', 'scripts'].flatMap((folder) =>
  (readdirSync(folder, { recursive: true }) as string[])
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name)),
);

/** Returns the imports of a file that are not allowed. */
function wrongIn(file: string, source?: string): string[] {
  const other = OTHERS.find(({ files }) => files.test(file));
  return importsOf(file, source)
    .filter(({ target, typesOnly }) =>
      other
        ? !(other.may.test(target) || (typesOnly && other.mayForTypes?.test(target)))
        : !mayUse(file, target),
    )
    .map(({ target }) => `${file} → ${target}`);
}

function mayUse(file: string, target: string): boolean {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (!from || !to || OTHERS.some(({ files }) => files.test(target))) return false;
  if (from === to) return true;
  if (file.startsWith('api/') && SHARED_FILES.includes(target)) return true;
  const isBelow = ROOMS.indexOf(to) < ROOMS.indexOf(from);
  return from.uses.includes(to.room) || (from.uses === EVERY_ROOM && isBelow);
}

test('a room uses only rooms above it in the list', () => {
  const upward = ROOMS.flatMap(({ room, uses }, index) =>
    uses
      .filter((used) => used !== '*' && !ROOMS.slice(0, index).some((above) => above.room === used))
      .map((used) => `${room} → ${used}`),
  );
  expect(upward).toEqual([]);
});

test('a room lists no other room without using it', () => {
  const used = new Set(
    files.flatMap((file) =>
      importsOf(file).map(({ target }) => `${roomOf(file)?.room} → ${roomOf(target)?.room}`),
    ),
  );
  const listed = ROOMS.filter(({ uses }) => uses !== EVERY_ROOM).flatMap(({ room, uses }) =>
    uses.map((other) => `${room} → ${other}`),
  );
  expect(listed.filter((pair) => !used.has(pair))).toEqual([]);
});

test('every import goes to a room that it may use', () => {
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap((file) => wrongIn(file))).toEqual([]);
});

test('what `npm start` builds and runs needs no package of test/package.json', () => {
  const { devDependencies } = JSON.parse(readFileSync('test/package.json', 'utf8'));
  const onStart = files.filter((file) => !/^scripts\/(bench|openapi|check-openapi)/.test(file));
  const wrong = onStart.flatMap((file) =>
    packagesOf(file)
      .filter((name) => name in devDependencies)
      .map((name) => `${file} → ${name}`),
  );
  expect(wrong).toEqual([]);
  expect(packagesOf('test/support/imports.ts')).toEqual(['@swc/core']);
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
])('the console runs no code of the server: %s', (source) => {
  expect(wrongIn(page, source)).toEqual([`${page} → api/routes/access/keys.js`]);
});

test.each([
  `import type { Key } from '${keys}';`,
  `import type * as keys from '${keys}';`,
  `export type { Key } from '${keys}';`,
  `export type * from '${keys}';`,
  `type Key = import('${keys}').Key;`,
])('the console may use types of the server: %s', (source) => {
  expect(wrongIn(page, source)).toEqual([]);
});

test('the console may only use the types of the contract, and no other part may use the console', () => {
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

test('an import cycle of any length is found, without the files that only lead to it or out of it', () => {
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

test("only one file knows BullMQ's inner names", () => {
  const inner =
    /moveTo(Wait|Delayed|Completed|Failed)\(|stalledCounter|toKey\(id|JobJson|'(prioritized|atm|ats|stc)'/;
  const names = files.filter((file) => /^(api|workers)\//.test(file) && !file.startsWith('api/console/'));
  expect(names.filter((file) => inner.test(readFileSync(file, 'utf8')))).toEqual([
    'workers/queues/bullmq-internals.ts',
  ]);
});
