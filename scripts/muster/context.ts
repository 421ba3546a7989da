import type { CliContext } from '../text/command-line.js';

/** What a command of `muster` gets from its process. */
export interface MusterContext extends CliContext {
  /** May be a terminal. */
  out: CliContext['out'] & { isTTY?: boolean };
  /** Aborted when the command should end early. The reason is the exit code. */
  stop: AbortSignal;
  /** Resolves a path of the command line. */
  pathOf: (path: string) => string;
}
