import { calledAs } from '../text/called-as.js';
import { reportError, UsageError } from '../text/command-line.js';
import { UploadFailure } from '../upload/failure.js';
import type { MusterContext } from './context.js';
import { FileProblem } from './files/folder.js';

/** A command of `muster`. */
export interface Command {
  /** One line of the help. */
  summary: string;
  /** @returns the exit code */
  run(args: readonly string[], context: MusterContext): Promise<number>;
}

/**
 * Runs one command line of `muster`.
 * @returns the exit code: 2 for an invalid command line
 */
export async function runMuster(
  [name, ...args]: readonly string[],
  context: MusterContext,
  commands: Readonly<Record<string, Command>>,
): Promise<number> {
  const { out, err } = context;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? err : out).write(`${helpOf(commands)}\n`);
    return name === undefined ? 2 : 0;
  }
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command)
      throw new UsageError(`There is no command ${name}; there are ${Object.keys(commands).join(', ')}`);
    return await command.run(args, context);
  } catch (error) {
    const known = error instanceof FileProblem ? new UsageError(error.message) : error;
    if (!(known instanceof UsageError || known instanceof UploadFailure)) throw error;
    const isKnown = Object.hasOwn(commands, name);
    return reportError(known, calledAs(isKnown ? name : '', context.env).trimEnd(), err);
  }
}

function helpOf(commands: Readonly<Record<string, Command>>): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    'Usage: muster COMMAND [arguments]',
    '',
    ...lines,
    '',
    'For the arguments of a command: muster COMMAND --help',
  ].join('\n');
}
