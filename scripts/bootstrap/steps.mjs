import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { withProgress } from './progress.mjs';
import { SetupError } from './run.mjs';

/**
 * A step of the setup: `label` describes it, `isDone()` returns whether there is nothing to do, `run()` does it. A step with
 * `without` may fail; the text says what is then missing.
 * @typedef {{
 *   label: string,
 *   isDone: () => boolean | Promise<boolean>,
 *   run: () => Promise<void>,
 *   without?: string,
 * }} Step
 */

/**
 * Runs the steps that are not done, in order. Only one setup runs at a time in this folder.
 * @param {string} root the project's folder
 * @param {Step[]} steps
 */
export async function runSteps(root, steps) {
  for (const step of steps) {
    try {
      await runStep(root, step);
    } catch (error) {
      if (!step.without || !(error instanceof SetupError)) throw error;
      console.log(`${error.message}\n${step.without}`);
    }
  }
}

async function runStep(root, step) {
  if (await step.isDone()) return;
  await withLock(join(root, '.bootstrap'), async () => {
    // Another setup may have done it while this one waited.
    if (!(await step.isDone())) await withProgress(step.label, step.run);
  });
}
