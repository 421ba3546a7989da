/**
 * Makes a fresh clone ready to run: packages, builds, database servers. npm's hooks call it before `start`, `test` and
 * others; `npm run build` is the part of it that builds. Runs before anything is installed, so it uses Node's built-ins
 * only. Quiet when nothing is to do.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildStep } from './bootstrap/build.mjs';
import { chromiumStep } from './bootstrap/chromium.mjs';
import { consoleStep } from './bootstrap/console.mjs';
import { packagesStep } from './bootstrap/packages.mjs';
import { SetupError } from './bootstrap/run.mjs';
import { serversStep } from './bootstrap/servers.mjs';
import { runSteps } from './bootstrap/steps.mjs';

const whole = [packagesStep, buildStep, consoleStep, serversStep];

/** What npm's script or hook of that name needs; the others, and a call by hand, need the whole. */
const needs = {
  build: [packagesStep, buildStep, consoleStep],
  preupload: [packagesStep, buildStep, serversStep],
  prekeys: [packagesStep, buildStep, serversStep],
  pretest: [...whole, chromiumStep],
};

const oldestNode = [20, 19];

function checkNode(version) {
  const [major, minor] = version.split('.').map(Number);
  const fits = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  if (!fits) throw new SetupError(`Muster needs Node ${oldestNode.join('.')} or newer; this is ${version}.`);
}

async function main() {
  checkNode(process.versions.node);
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const steps = needs[process.env.npm_lifecycle_event] ?? whole;
  await runSteps(
    root,
    steps.map((step) => step(root)),
  );
}

main().catch((error) => {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
});
