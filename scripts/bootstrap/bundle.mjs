import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The programs that supervisors start again after a crash. */
const programs = ['api/main', 'workers/main'];

/** Packages that are loaded only when they are needed, packages with native code, and those that knex names for other databases. */
const notBundled = [
  ...['@aws-sdk/*', '@bull-board/*', 'msgpackr-extract', 'nodemailer', 'ssh2'],
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

/** A server's packages, which the command imports for their types alone, and what they name for other databases. */
const ofServers = [
  'better-sqlite3',
  'sqlite3',
  'pg',
  'pg-query-stream',
  'mysql',
  'tedious',
  'oracledb',
  'mariadb',
];

/**
 * Makes the package of the command `muster`: one file that needs Node alone, so that `npx` runs it without the packages of a server.
 * @param {string} folder the folder with the compiled sources; the package is its folder `cli`
 * @param {{ version: string, license: string, engines: object }} project what package.json says
 */
export async function bundleCommand(folder, { version, license, engines }) {
  const { build } = await import('esbuild');
  const file = join(folder, 'cli/muster.js');
  await build({
    entryPoints: [join(folder, 'scripts/muster-packed.js')],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    banner: { js: `#!/usr/bin/env node\n${commonJs}` },
    external: ofServers,
    plugins: [wholeCatalogue(folder), withoutUnused],
    logLevel: 'error',
  });
  chmodSync(file, 0o755);
  const description = 'The command of Muster: checks integrations that are kept as files';
  const about = {
    name: 'muster',
    version,
    description,
    license,
    type: 'module',
    bin: { muster: 'muster.js' },
    engines,
  };
  writeFileSync(join(folder, 'cli/package.json'), `${JSON.stringify(about, null, 2)}\n`);
}

/** The catalogue reads its own folder, which the package does not have. */
const wholeCatalogue = (folder) => ({
  name: 'whole-catalogue',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/catalogue\/index\.js$/ }, () => {
      const sources = join(folder, 'workers/mapping/catalogue/sources');
      const names = readdirSync(sources).filter((name) => name.endsWith('.js'));
      const imports = names.map((name, index) => `import source${index} from './sources/${name}';`);
      const find = 'export const findSource = (wanted) => catalogue.find(({ name }) => name === wanted);';
      const all = `const catalogue = [${names.map((_, index) => `source${index}`)}];`;
      return { contents: [...imports, all, find].join('\n'), resolveDir: dirname(sources) };
    }),
});

/** Muster's modules do nothing but declare, except the one that sets messages. What none of them uses, such as the database, is left out. */
const withoutUnused = {
  name: 'without-unused',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /^\./ }, async ({ path, importer, resolveDir, kind, pluginData }) => {
      if (
        pluginData === 'resolved' ||
        importer.includes('node_modules') ||
        path.endsWith('/schema-messages.js')
      )
        return;
      const found = await resolve(path, { importer, resolveDir, kind, pluginData: 'resolved' });
      return { ...found, sideEffects: false };
    }),
};
