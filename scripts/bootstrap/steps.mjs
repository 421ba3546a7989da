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
 * Runs the steps that are not done: one group after the other, the steps of a group at the same time. Only one setup runs at a time in this
 * folder.
 * @param {string} root the project's folder
 * @param {Step[][]} groups
 */
export async function runSteps(root, groups) {
  for (const steps of groups) {
    if ((await toDo(steps)).length === 0) continue;
    await withLock(join(root, '.bootstrap'), async () => {
      // Another setup may have done them while this one waited.
      const left = await toDo(steps);
      if (left.length > 0) await runAll(left);
    });
  }
}

/** Returns the steps that are not done. */
async function toDo(steps) {
  const done = await Promise.allSettled(steps.map((step) => step.isDone()));
  return steps.filter((step, index) => {
    const { status, value, reason } = done[index];
    if (status === 'rejected') goOnWithout(step, reason);
    return value === false;
  });
}

/** Runs steps, and waits for all of them also if one fails. */
async function runAll(steps) {
  let ends = [];
  const label = steps.map((step) => step.label).join('; ');
  await withProgress(label, async () => {
    ends = await Promise.allSettled(steps.map((step) => step.run()));
    return ends.every(({ status }) => status === 'fulfilled');
  });
  for (const [index, { status, reason }] of ends.entries())
    if (status === 'rejected') goOnWithout(steps[index], reason);
}

/** Prints the error of a step that may fail; throws any other. */
function goOnWithout({ without }, error) {
  if (!without || !(error instanceof SetupError)) throw error;
  console.log(`${error.message}\n${without}`);
}
