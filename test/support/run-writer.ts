import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const KEPT = Symbol.for('muster.run-writer');

/**
 * The program that a worker in a test's process starts for large uploads, bundled once for each process: a thread does not
 * inherit how Jest loads TypeScript, and to set that up again took 0.3 s of CPU for each thread.
 */
export const runWriter: URL = (Reflect.get(globalThis, KEPT) as URL | undefined) ?? bundled();

function bundled(): URL {
  const { outputFiles } = buildSync({
    entryPoints: [
      fileURLToPath(new URL('../../workers/identities/spool/run-writer-thread.ts', import.meta.url)),
    ],
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  const url = new URL(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')}`,
  );
  Reflect.set(globalThis, KEPT, url);
  return url;
}
