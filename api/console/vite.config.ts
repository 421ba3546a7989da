import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { precompress } from './vite/precompress.ts';
import { themeCss } from './vite/theme-css.ts';

const API = process.env.MUSTER_ADDRESS ?? 'http://127.0.0.1:3000';

/** The files that `api/routes/operations/console.ts` serves. */
export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // From the sources the pages stand at their own addresses, so that a reload finds them.
  base: command === 'build' ? '/console/' : '/',
  plugins: [themeCss(), precompress()],
  build: {
    target: 'es2022',
    outDir: '../../dist/console',
    // The policy of the pages allows no data: address but for images.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      onLog: (level, log, report) => {
        // Packages mark modules for servers that render; there is none here.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') report(level, log);
      },
    },
  },
  server: { proxy: { '^/(v2/|api/v1/|healthz|readyz|openapi.json|docs|admin/)': API } },
}));
