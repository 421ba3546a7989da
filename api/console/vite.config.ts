import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { chunkGroups } from './vite/chunks.ts';
import { earlyFiles } from './vite/early-files.ts';
import { guide } from './vite/guide/guide.ts';
import { precompress } from './vite/precompress.ts';
import { themeCss } from './vite/theme-css.ts';

const API = process.env.MUSTER_ADDRESS ?? 'http://127.0.0.1:3000';

/** The files that `api/routes/operations/console.ts` serves. */
export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // The development server serves the pages at their own addresses, so that a reload works.
  base: command === 'build' ? '/console/' : '/',
  plugins: [themeCss(), earlyFiles(), guide(), precompress()],
  build: {
    target: 'es2022',
    outDir: '../../dist/console',
    // The content security policy allows data: addresses for images only.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: { codeSplitting: { groups: chunkGroups() } },
      onLog: (level, log, report) => {
        // Packages mark modules for server-side rendering, which the console does not use.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: { proxy: { '^/(v2/|api/v1/|healthz|readyz|openapi.json|docs|guide/|admin/)': API } },
}));
