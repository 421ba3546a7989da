/**
 * Sets up a fresh clone: packages, builds, database servers. Every npm script starts here, because `.npmrc` turns npm's
 * pre-hooks off together with those of packages.
 *
 *   node scripts/bootstrap.mjs             sets up everything
 *   node scripts/bootstrap.mjs NAME ...    sets up what `npm run NAME` needs, and runs its program in this process
 *
 * It runs before anything is installed, so it uses Node's built-in modules only. It prints nothing if there is nothing to do.
 */
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildStep } from './bootstrap/build.mjs';
import { chromiumStep } from './bootstrap/chromium.mjs';
import { consoleStep } from './bootstrap/console.mjs';
import { engineSteps, sshdStep } from './bootstrap/engines.mjs';
import { faketimeStep } from './bootstrap/faketime.mjs';
import { stopWithParent } from './bootstrap/interrupt.mjs';
import { packagesStep, startPackagesStep } from './bootstrap/packages.mjs';
import { SetupError } from './bootstrap/run.mjs';
import { serversStep, startServersStep } from './bootstrap/servers.mjs';
import { runSteps } from './bootstrap/steps.mjs';

const built = [startPackagesStep, buildStep];
const whole = [packagesStep, buildStep, [consoleStep, serversStep]];

/**
 * What each npm script needs before it can run, and the Muster program that it then runs, if any. Steps of a list within the list are done at
 * the same time.
 */
const scripts = {
  start: { steps: [...built, [consoleStep, startServersStep]], program: 'start.js' },
  dev: { steps: [packagesStep, buildStep, [consoleStep, startServersStep]], program: 'dev.js' },
  test: { steps: [...whole, chromiumStep, faketimeStep, sshdStep] },
  'test:unit': { steps: [packagesStep] },
  'test:faults': { steps: [...whole, faketimeStep] },
  'test:engines': { steps: [...whole, ...engineSteps] },
  check: { steps: [packagesStep] },
  build: { steps: [...built, consoleStep] },
  // Clients of a service that is already running, here or elsewhere.
  muster: { steps: built, program: 'muster.js' },
  upload: { steps: built, program: 'upload.js' },
  keys: { steps: built, program: 'keys.js' },
  upkeep: { steps: built, program: 'upkeep.js' },
  migrate: { steps: built, program: 'migrate.js' },
  doctor: { steps: built, program: 'doctor.js' },
  // One of the benchmarks opens the console.
  bench: { steps: whole, program: 'bench/main.js' },
};

const oldestNode = [20, 19];

function checkNode(version) {
  const [major, minor] = version.split('.').map(Number);
  const fits = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  if (!fits) throw new SetupError(`Muster needs Node ${oldestNode.join('.')} or newer; this is ${version}.`);
}

function scriptNamed(name) {
  if (name === undefined) return { steps: whole };
  if (Object.hasOwn(scripts, name)) return scripts[name];
  throw new SetupError(`Unknown script ${name}. Known scripts: ${Object.keys(scripts).join(', ')}.`);
}

/** A program needs no servers to print its help. */
const stepsOf = ({ steps }, args) => (args.includes('--help') ? built : steps);

async function main([name, ...args]) {
  checkNode(process.versions.node);
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const script = scriptNamed(name);
  const release = stopWithParent();
  try {
    await runSteps(
      root,
      stepsOf(script, args).map((steps) => [steps].flat().map((step) => step(root))),
    );
  } finally {
    release();
  }
  if (script.program) await runProgram(join(root, 'dist/scripts', script.program), args);
}

/** Runs the program in this process, because a shell or a parent in between would have to pass on every signal. */
async function runProgram(file, args) {
  process.argv.splice(1, Number.POSITIVE_INFINITY, file, ...args);
  await import(pathToFileURL(file).href);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
});
