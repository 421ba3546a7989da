import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface LockedPackage {
  /** Of a package that stands in for another one. */
  name?: string;
  version?: string;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};

/** Node's own lookup: the nearest `node_modules` folder on the way up from the package that asks. */
function isLocked(from: string, name: string): boolean {
  const folders = from.split(/(?:^|\/)node_modules\//);
  return folders.some((_, depth) => {
    const above = folders.slice(1, folders.length - depth).map((folder) => `node_modules/${folder}`);
    return [...above, `node_modules/${name}`].join('/') in packages;
  });
}

test('the lock file names the builds for every platform, so that npm ci works on each of them', () => {
  const absent = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !isLocked(path, name))
      .map((name) => `${path}: ${name}`),
  );
  expect(absent).toEqual([]);
  expect(Object.keys(packages)).toEqual(expect.arrayContaining(['node_modules/@swc/core-darwin-arm64']));
});

test.each(['package-lock.json', 'test/generators/package-lock.json'])(
  '%s holds no address of a registry',
  (file) => {
    expect(readFileSync(file, 'utf8')).not.toMatch(/"resolved": "http/);
  },
);

test('no package reports that it was installed: @scarf/scarf does, so tslib stands in for it', () => {
  expect(packages['node_modules/@scarf/scarf']?.name).toBe('tslib');
  expect(Object.keys(packages).filter((path) => path.endsWith('/@scarf/scarf'))).toHaveLength(1);
});
