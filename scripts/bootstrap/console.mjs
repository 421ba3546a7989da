import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replace } from './build.mjs';
import { filesIn, fingerprint, textOf } from './fingerprint.mjs';
import { run } from './run.mjs';

const settings = ['tsconfig.json', 'package-lock.json'];

/** Builds the browser console into `dist/console`, unless it is up to date. */
export function consoleStep(root) {
  const built = join(root, 'dist', 'console');
  return {
    label: 'Building the console',
    isDone: () => textOf(join(built, '.fingerprint')) === printOf(root),
    run: () => build(root, built),
  };
}

/** The console imports only types of the server, which do not affect the build. Its guide is made of the documentation. */
function printOf(root) {
  const pages = filesIn(root, 'docs').filter((file) => file.endsWith('.md'));
  return fingerprint(root, [...settings, ...filesIn(root, 'api/console'), ...pages]);
}

/** Builds into a separate folder first, because a failed build must not damage the console that is being served. */
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
  // The list of built files would push the reason of a failure out of the shown excerpt.
  await run([process.execPath, vite, 'build', ...config, '--logLevel', 'warn'], {
    cwd: root,
    // Otherwise a shell with NODE_ENV=development would build the development version of React.
    env: { ...process.env, NODE_ENV: 'production' },
    failure: 'The console does not build: see above.',
  });
}
