import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/wasm-typescript';

/** The exports of `@jest/globals` that tests use. runtime.cjs holds the values for the running test file. */
const GLOBALS = ['afterAll', 'afterEach', 'beforeAll', 'beforeEach', 'describe', 'expect', 'jest', 'test'];

const project = new URL('../../..', import.meta.url).href;
const packages = new URL('node_modules/', project).href;

const isOurs = (url) => url.startsWith(project) && !url.startsWith(packages);

/** The server, which keeps no state of one test in its modules, and what checks its responses. */
const SHARED = /^(?:db|workers|scripts|api(?!\/console))\/|^test\/support\/api\/contract\.ts$/;

const isShared = (url) => SHARED.test(url.slice(project.length));

/**
 * Resolves `./name.js` to `name.ts`. A module of the tests or of the console gets the query of the module that imports it,
 * such as `?test-file=3`, so each test file has its own instances. A worker process loads the modules of the server and the
 * packages once: to load and optimize the server's again takes more than 1 s of CPU for each test file.
 */
export async function resolve(specifier, context, nextResolve) {
  const query = context.parentURL?.match(/\?test-file=\d+$/)?.[0] ?? '';
  if (specifier === '@jest/globals') return { url: `jest:globals${query}`, shortCircuit: true };
  if (specifier.startsWith('.') && isOurs(context.parentURL)) {
    const source = sourceOf(new URL(specifier, context.parentURL).href);
    if (source)
      return { url: isShared(source) ? source : source + query, format: 'module', shortCircuit: true };
  }
  return nextResolve(specifier, context);
}

const sources = new Map();

/** Returns the address of a module's TypeScript source, or null if there is none. */
function sourceOf(url) {
  if (!sources.has(url)) {
    const source = url.replace(/\.js$/, '.ts');
    sources.set(url, source.endsWith('.ts') && existsSync(fileURLToPath(source)) ? source : null);
  }
  return sources.get(url);
}

const stripped = new Map();

/** Removes the types and leaves all other characters in their places, so stack traces need no source maps. */
export async function load(url, context, nextLoad) {
  if (url.startsWith('jest:globals')) {
    const source = `export const { ${GLOBALS} } = globalThis[Symbol.for('muster.jest-globals')];`;
    return { format: 'module', source, shortCircuit: true };
  }
  const [path] = url.split('?');
  if (!path.endsWith('.ts')) return nextLoad(url, context);
  if (!stripped.has(path)) {
    const source = readFileSync(fileURLToPath(path), 'utf8');
    stripped.set(path, transformSync(source, { mode: 'strip-only', module: true }).code);
  }
  return { format: 'module', source: stripped.get(path), shortCircuit: true };
}
