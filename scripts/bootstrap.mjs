/**
 * Makes a fresh clone ready to run: packages, build, database servers. npm's hooks call it before `start`, `test`
 * and `bench`. Runs before anything is installed, so it uses Node's built-ins only. Quiet when nothing is to do.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildStep } from './bootstrap/build.mjs';
import { packagesStep } from './bootstrap/packages.mjs';
import { SetupError } from './bootstrap/run.mjs';
import { serversStep } from './bootstrap/servers.mjs';
import { runSteps } from './bootstrap/steps.mjs';

const oldestNode = [20, 19];

function checkNode(version) {
  const [major, minor] = version.split('.').map(Number);
  const fits = major > oldestNode[0] || (major === oldestNode[0] && minor >= oldestNode[1]);
  if (!fits) throw new SetupError(`Muster needs Node ${oldestNode.join('.')} or newer; this is ${version}.`);
}

async function main() {
  checkNode(process.versions.node);
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  await runSteps(root, [packagesStep(root), buildStep(root), serversStep(root)]);
}

main().catch((error) => {
  console.error(error instanceof SetupError ? error.message : error);
  process.exitCode = 1;
});
