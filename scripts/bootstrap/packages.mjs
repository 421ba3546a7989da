import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** Installs the packages of package-lock.json, unless exactly those are installed. */
export function packagesStep(root) {
  return {
    label: 'Installing npm packages',
    isDone: () => isInstalled(root),
    run: () => install(root),
  };
}

/** npm finishes an installation by writing the installed packages to `node_modules/.package-lock.json`. */
function isInstalled(root) {
  const wanted = packagesIn(join(root, 'package-lock.json'));
  const present = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  return Object.entries(wanted)
    .filter(([path, { optional }]) => path !== '' && !optional)
    .every(([path, { version }]) => present[path]?.version === version);
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
async function install(root) {
  const exactly = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'];
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
