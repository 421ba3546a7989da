import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replace } from './build.mjs';
import { filesIn, fingerprint, textOf } from './fingerprint.mjs';
import { run } from './run.mjs';

const settings = ['tsconfig.json', 'package-lock.json'];

/** Builds the browser console into `dist/console`, unless it was built from just these sources. */
export function consoleStep(root) {
  const built = join(root, 'dist', 'console');
  return {
    label: 'Building the console',
    isDone: () => textOf(join(built, '.fingerprint')) === printOf(root),
    run: () => build(root, built),
  };
}

/** Of the server it takes types only, which leave no trace in what is built. */
function printOf(root) {
  return fingerprint(root, [...settings, ...filesIn(root, 'api/console')]);
}

/** Beside its place and then into it: a console that does not build must not take away the one that is served. */
async function build(root, built) {
  const print = printOf(root);
  const fresh = join(root, 'dist.new', 'console');
  try {
    await bundle(root, fresh);
    writeFileSync(join(fresh, '.fingerprint'), print);
    replace(built, fresh);
  } finally {
    rmSync(join(root, 'dist.new'), { recursive: true, force: true });
  }
}

async function bundle(root, folder) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const config = ['--config', 'api/console/vite.config.ts', '--outDir', folder, '--emptyOutDir'];
  // Its list of files built would push the reason of a failure out of what is shown.
  await run([process.execPath, vite, 'build', ...config, '--logLevel', 'warn'], {
    cwd: root,
    // Otherwise React would be built as for development where that is what the shell says.
    env: { ...process.env, NODE_ENV: 'production' },
    failure: 'The console does not build: see above.',
  });
}
