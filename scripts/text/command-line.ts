import { type ParseArgsConfig, parseArgs } from 'node:util';
import { printable } from './printable.js';

/** The command line is invalid. The message is one sentence without a period. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** What a command gets from its process. */
export interface CliContext {
  env: Record<string, string | undefined>;
  /** Receives the result. */
  out: { write(text: string): unknown };
  /** Receives errors, notes and progress. */
  err: { write(text: string): unknown };
}

/**
 * Parses arguments like `parseArgs` of Node.
 * @throws UsageError
 */
export function parseCommandLine<Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    // Node's message continues with advice for another situation.
    const [reason = ''] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(reason);
  }
}

/**
 * Writes the message of an error that ended a command, and how to get help if the command line is invalid.
 * @param command as a person types it, ready for arguments, such as `npm run keys --`
 * @returns the exit code: 2 for an invalid command line, otherwise 1
 */
export function reportError(error: unknown, command: string, err: CliContext['err']): number {
  const isUsage = error instanceof UsageError;
  const help = isUsage ? `.\nFor help, run: ${command} --help` : '';
  err.write(`${printable((error as Error).message)}${help}\n`);
  return isUsage ? 2 : 1;
}
