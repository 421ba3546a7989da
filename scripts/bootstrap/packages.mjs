import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** Installs the packages that package-lock.json names, unless exactly those are there. */
export function packagesStep(root) {
  return {
    label: 'Installing npm packages',
    isDone: () => isInstalled(root),
    run: () => install(root),
  };
}

/** npm ends an installation by writing what it put there into `node_modules/.package-lock.json`. */
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
 * What `npm ci` does, but with `npm install`: a lock file need not name the builds for other platforms of a package
 * such as a compiler (npm leaves out those that it could not reach), and `npm ci` refuses it then everywhere.
 * `--no-save` keeps the lock file as it is. The build needs the development packages too, whatever NODE_ENV says.
 */
async function install(root) {
  rmSync(join(root, 'node_modules'), { recursive: true, force: true });
  const exactly = ['install', '--no-save', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'];
  await run([...npm(), ...exactly], {
    cwd: root,
    failure: 'npm could not install the packages: see above. Is the registry reachable from here?',
  });
}

/** The npm that called this script, if one did. */
function npm() {
  const { npm_execpath: path } = process.env;
  return path ? [process.execPath, path] : ['npm'];
}
