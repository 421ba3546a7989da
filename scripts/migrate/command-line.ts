import type { DatabaseRole } from '../../db/access/grants.js';
import { parseCommandLine, UsageError } from '../text/command-line.js';

/** The account for each role, as SQL writes it: `'name'@'host'`. */
export type Accounts = Partial<Record<DatabaseRole, string>>;

export const help = `
Usage: npm run migrate [-- options]

Migrates the schema of DATABASE_URL to the current version. Its account must be allowed to create tables.

  --api-account NAME[@HOST]      then grant this existing account exactly the rights that the API needs
  --worker-account NAME[@HOST]   the same for workers. HOST defaults to %. For both, the account of DATABASE_URL must be
                                 allowed to grant its rights (WITH GRANT OPTION)
  --help                         print this help

Exit codes: 0 done, 1 failed, 2 the command line is invalid.
`.trim();

/**
 * Reads the arguments.
 * @returns null if help is requested
 * @throws UsageError
 */
export function readCommandLine(args: readonly string[]): Accounts | null {
  const { help: asked, 'api-account': api, 'worker-account': worker } = parse(args);
  if (asked) return null;
  return {
    ...(api === undefined ? {} : { api: accountOf('--api-account', api) }),
    ...(worker === undefined ? {} : { worker: accountOf('--worker-account', worker) }),
  };
}

function parse(args: readonly string[]) {
  const options = {
    'api-account': { type: 'string' },
    'worker-account': { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  return parseCommandLine({ args: [...args], options }).values;
}

/** Accepts only names that need no escaping, because GRANT takes no parameters. */
function accountOf(option: string, given: string): string {
  const [, name, host = '%'] = /^([\w.-]{1,80})(?:@([\w.%:-]{1,255}))?$/.exec(given) ?? [];
  if (name) return `'${name}'@'${host}'`;
  throw new UsageError(`${option} must be NAME or NAME@HOST, not ${given}`);
}
