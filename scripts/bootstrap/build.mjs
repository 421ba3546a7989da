import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bundleCommand, bundlePrograms } from './bundle.mjs';
import { filesIn, fingerprint, textOf } from './fingerprint.mjs';
import { failed } from './run.mjs';

const sourceFolders = ['api', 'workers', 'db', 'scripts'];
const settings = [
  'tsconfig.json',
  'tsconfig.build.json',
  'package.json',
  'package-lock.json',
  'scripts/bootstrap/bundle.mjs',
];

/** Makes JavaScript of the sources in `dist/` and bundles the programs, unless it is up to date. */
export function buildStep(root) {
  const stamp = join(root, 'dist', '.fingerprint');
  return {
    label: 'Building',
    isDone: () => textOf(stamp) === fingerprint(root, sources(root)),
    run: () => build(root, stamp),
  };
}

/** Returns the files that the build reads. The console is built separately, see console.mjs. */
function sources(root) {
  const files = sourceFolders.flatMap((folder) => filesIn(root, folder));
  return [
    ...settings,
    ...files.filter((path) => /\.(ts|json)$/.test(path) && !path.startsWith('api/console/')),
  ];
}

/**
 * Builds into a separate folder that then replaces the old one: modules whose sources were deleted must disappear, and sources
 * that do not compile must not damage a running build. The folder is next to `dist/`, because source maps have relative paths.
 */
async function build(root, stamp) {
  const print = fingerprint(root, sources(root));
  const fresh = join(root, 'dist.new');
  rmSync(fresh, { recursive: true, force: true });
  try {
    await compile(root, fresh);
    await bundleCommand(fresh, JSON.parse(textOf(join(root, 'package.json'))));
    await bundlePrograms(fresh);
    rmSync(stamp, { force: true });
    for (const folder of [...sourceFolders, 'chunks', 'cli'])
      replace(join(root, 'dist', folder), join(fresh, folder));
    writeFileSync(stamp, print);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Removes the types from each source. Whether they are right is for `npm run check`: a start needs no compiler and does not wait for it. */
async function compile(root, folder) {
  // Here, because this file is read before the packages are installed.
  const { build } = await import('esbuild');
  const entryPoints = sources(root).filter((path) => path.endsWith('.ts'));
  try {
    await build({
      absWorkingDir: root,
      entryPoints,
      outbase: '.',
      outdir: folder,
      format: 'esm',
      platform: 'node',
      target: 'node20.19',
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'silent',
    });
  } catch (error) {
    throw failed(error.message, 'The TypeScript sources do not compile: see above.');
  }
}

/** Replaces an older built folder. */
export function replace(folder, fresh) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true });
  if (existsSync(fresh)) renameSync(fresh, folder);
}
