import type { DatabaseRole } from '../../db/access/grants.js';
import { parseCommandLine, UsageError } from '../text/command-line.js';

export interface Options {
  role: DatabaseRole;
  json: boolean;
}

export const help = `
Usage: npm run doctor [-- options]

Checks a deployment: settings, database, Redis, file store, workers and queues. Prints one line for each check with what
was found and what to do about it. Run it on a host of the API or of a worker, with the same environment variables. It
changes nothing; the small file that it writes to the file store and to DATA_DIR is deleted at once.

  --role api|worker   whose settings and database rights to check. Default: api
  --json              print one JSON document: { role, level, checks: [{ check, level, found, advice }] }
  --help              print this help

Exit codes: 0 no failure, 1 at least one failure, 2 the settings or the command line are invalid.
`.trim();

/**
 * Reads the arguments.
 * @returns null if help is requested
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[]): Options | null {
  const options = {
    role: { type: 'string', default: 'api' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  } as const;
  const { values } = parseCommandLine({ args: [...args], options });
  if (values.help) return null;
  const { role, json } = values;
  if (role !== 'api' && role !== 'worker') throw new UsageError(`--role must be api or worker, not ${role}`);
  return { role, json };
}
