import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesIn, fingerprint, textOf } from './fingerprint.mjs';
import { run } from './run.mjs';

const sourceFolders = ['api', 'workers', 'db', 'scripts'];
const settings = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json'];

/** Compiles the sources into `dist/`, unless it was built from just these. */
export function buildStep(root) {
  const stamp = join(root, 'dist', '.fingerprint');
  return {
    label: 'Building',
    isDone: () => textOf(stamp) === fingerprint(root, sources(root)),
    run: () => build(root, stamp),
  };
}

/** The console is not part of this build, see console.mjs. */
function sources(root) {
  const files = sourceFolders.flatMap((folder) => filesIn(root, folder));
  return [
    ...settings,
    ...files.filter((path) => /\.(ts|json)$/.test(path) && !path.startsWith('api/console/')),
  ];
}

/**
 * Into a folder of its own that then takes the old one's place: a module whose source is gone must not be found any
 * more, and sources that do not compile must not take away what is running. It lies beside `dist/`, because source
 * maps hold relative paths.
 */
async function build(root, stamp) {
  const print = fingerprint(root, sources(root));
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

/** Puts a built folder in the place of an older one. */
export function replace(folder, fresh) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  if (existsSync(fresh)) renameSync(fresh, folder);
}
