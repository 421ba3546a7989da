import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** Installs the packages of package-lock.json, unless exactly those are installed. */
export const packagesStep = (root) => stepFor(root, { isInstalled, options: [] });

/** Installs those of package.json only, which are a third: those of test/package.json are for tests, checks and benchmarks. */
export const startPackagesStep = (root) =>
  stepFor(root, { isInstalled: isStartInstalled, options: ['--workspaces=false'] });

const stepFor = (root, { isInstalled, options }) => ({
  label: 'Installing npm packages',
  isDone: () => isInstalled(packagesIn(join(root, 'package-lock.json')), installedIn(root)),
  run: () => installPackages(root, options),
});

/** npm finishes an installation by writing the installed packages to `node_modules/.package-lock.json`. */
const installedIn = (root) => packagesIn(join(root, 'node_modules', '.package-lock.json'));

const isInstalled = (wanted, present) =>
  Object.entries(wanted)
    .filter(([path, { optional, link }]) => path.includes('node_modules/') && !optional && !link)
    .every(([path, { version }]) => present[path]?.version === version);

/** The installation is complete if what package.json names is there, because npm writes the list last. */
function isStartInstalled(wanted, present) {
  const { dependencies, devDependencies } = wanted[''] ?? {};
  const named = Object.keys({ ...dependencies, ...devDependencies }).map((name) => `node_modules/${name}`);
  const known = Object.keys(present).filter((path) => path in wanted);
  return [...named, ...known].every((path) => present[path]?.version === wanted[path]?.version);
}

function packagesIn(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return {};
  }
}

/**
 * Installs exactly the packages of the lock file. `test/unit/scripts/lock-file.test.ts` keeps the lock file whole on every platform,
 * which `npm ci` insists on. The build needs the development packages too, whatever NODE_ENV says.
 */
export async function installPackages(root, options = []) {
  const exactly = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', ...options];
  await run([...npm(), ...exactly], {
    cwd: root,
    failure: 'npm could not install the packages: see above. Is the registry reachable from here?',
  });
}

/** Returns the npm that called this script, if any. */
function npm() {
  const { npm_execpath: path } = process.env;
  return path ? [process.execPath, path] : ['npm'];
}
