import { join } from 'node:path';

/** The programs that supervisors start again after a crash. */
const programs = ['api/main', 'workers/main'];

/** Packages that are loaded only when they are needed, packages with native code, and those that knex names for other databases. */
const notBundled = [
  ...['@aws-sdk/*', '@bull-board/*', 'msgpackr-extract', 'nodemailer'],
  ...['context-async-hooks', 'core', 'exporter-trace-otlp-*', 'resources', 'sdk-trace-base'].map(
    (name) => `@opentelemetry/${name}`,
  ),
  ...['better-sqlite3', 'sqlite3', 'pg', 'pg-query-stream', 'mysql', 'tedious', 'oracledb', 'mariadb'],
];

/** Bundled CommonJS packages need what Node gives to CommonJS modules only. */
const commonJs = [
  "import { createRequire as muster$createRequire } from 'node:module';",
  'const require = muster$createRequire(import.meta.url);',
  'const __filename = import.meta.filename, __dirname = import.meta.dirname;',
].join('\n');

/**
 * Replaces the compiled `main.js` of each program with a bundle of it and of the packages that it imports at its start. What both need, and
 * what is imported later, goes into `chunks/`. A program starts in less than half the CPU time, because it loads fewer than 100 files instead of
 * 1,500 to 1,700, and takes less memory: see docs/architecture/bundles.md.
 * @param {string} folder the folder with the compiled sources
 */
export async function bundlePrograms(folder) {
  // Here, because this file is read before the packages are installed.
  const { build } = await import('esbuild');
  await build({
    entryPoints: Object.fromEntries(programs.map((name) => [name, join(folder, `${name}.js`)])),
    outdir: folder,
    allowOverwrite: true,
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Names stay readable in profiles, and errors keep theirs.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    banner: { js: commonJs },
    external: notBundled,
    plugins: [catalogue],
    logLevel: 'error',
  });
}

/** The catalogue reads its own folder, so it stays where it is. The path is the same from both programs and from `chunks/`. */
const catalogue = {
  name: 'catalogue',
  setup: ({ onResolve }) =>
    onResolve({ filter: /\/catalogue\/index\.js$/ }, () => ({
      path: '../workers/mapping/catalogue/index.js',
      external: true,
    })),
};
