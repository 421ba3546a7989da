import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './run.mjs';

const sourceFolders = ['api', 'workers', 'db', 'scripts'];
const settings = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** Compiles the sources into `dist/`, unless it was built from just these. */
export function buildStep(root) {
  const stamp = join(root, 'dist', '.fingerprint');
  return {
    label: 'Building',
    isDone: () => read(stamp) === fingerprint(root),
    run: () => build(root, stamp),
  };
}

/**
 * Of the names and contents of everything that the build reads; some 10 ms. Times of files would be cheaper, and
 * wrong after a checkout that turns them back.
 * @param {string} root
 * @returns {string} hexadecimal SHA-256
 */
export function fingerprint(root) {
  const hash = createHash('sha256');
  for (const file of [...settings, ...sourceFolders.flatMap((folder) => sourcesIn(root, folder))]) {
    hash.update(`${file}\0${read(join(root, file))}\0`);
  }
  return hash.digest('hex');
}

function sourcesIn(root, folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.(ts|tsx|json)$/.test(name))
    .map((name) => `${folder}/${name}`)
    .sort();
}

/**
 * Into a folder of its own that then takes the old one's place: a module whose source is gone must not be found any
 * more, and sources that do not compile must not take away what is running. It lies beside `dist/`, because source
 * maps hold relative paths.
 */
async function build(root, stamp) {
  const print = fingerprint(root);
  const fresh = join(root, 'dist.new');
  rmSync(fresh, { recursive: true, force: true });
  try {
    await compile(root, fresh);
    rmSync(stamp, { force: true });
    for (const folder of sourceFolders) replace(join(root, 'dist', folder), join(fresh, folder));
    writeFileSync(stamp, print);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

async function compile(root, folder) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await run([process.execPath, compiler, '-p', 'tsconfig.build.json', '--outDir', folder], {
    cwd: root,
    failure: 'The TypeScript sources do not compile: see above.',
  });
}

function replace(folder, fresh) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  if (existsSync(fresh)) renameSync(fresh, folder);
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
