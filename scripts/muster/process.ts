import { givenPath } from '../text/given-path.js';
import { processContext } from '../text/process-context.js';
import { type Command, runMuster } from './run.js';

/** Runs the command line of this process. */
export async function runProcess(commands: Readonly<Record<string, Command>>): Promise<void> {
  const context = processContext();
  const pathOf = (path: string) => givenPath(path, context.env);
  process.exitCode = await runMuster(process.argv.slice(2), { ...context, pathOf }, commands);
}
