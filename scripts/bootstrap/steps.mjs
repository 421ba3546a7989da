import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { withProgress } from './progress.mjs';
import { SetupError } from './run.mjs';

/**
 * A step of the set-up: `label` says what it does, `isDone()` looks whether there is anything to do,
 * `run()` does it. One with `without` may fail: that says what it means to go on without it.
 * @typedef {{
 *   label: string,
 *   isDone: () => boolean | Promise<boolean>,
 *   run: () => Promise<void>,
 *   without?: string,
 * }} Step
 */

/**
 * Runs the steps that are not done, in order, one set-up at a time in this folder.
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
    // Another set-up may have done it while this one waited.
    if (!(await step.isDone())) await withProgress(step.label, step.run);
  });
}
