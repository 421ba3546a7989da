import { givenPath } from '../text/given-path.js';
import { type Command, runMuster } from './run.js';

/** Runs the command line of this process. */
export async function runProcess(commands: Readonly<Record<string, Command>>): Promise<void> {
  const stop = new AbortController();
  // Ctrl-C arrives twice if npm has started this process, from the terminal and from npm. The second has no effect.
  process.on('SIGINT', () => stop.abort(130));
  process.on('SIGTERM', () => stop.abort(143));
  // The reader of the output, such as `head`, may close it early.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const { env, stdout: out, stderr: err } = process;
  const context = { env, out, err, stop: stop.signal, pathOf: (path: string) => givenPath(path, env) };
  process.exitCode = await runMuster(process.argv.slice(2), context, commands);
}
