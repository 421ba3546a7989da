import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { withProgress } from './progress.mjs';

/**
 * A step of the set-up: `label` says what it does, `isDone()` looks whether there is anything to do,
 * `run(onOutput)` does it.
 * @typedef {{ label: string, isDone: () => boolean | Promise<boolean>, run: () => Promise<void> }} Step
 */

/**
 * Runs the steps that are not done, in order, one set-up at a time in this folder.
 * @param {string} root the project's folder
 * @param {Step[]} steps
 */
export async function runSteps(root, steps) {
  for (const step of steps) {
    if (await step.isDone()) continue;
    await withLock(join(root, '.bootstrap'), async () => {
      // Another set-up may have done it while this one waited.
      if (!(await step.isDone())) await withProgress(step.label, step.run);
    });
  }
}
