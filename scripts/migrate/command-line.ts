import { parseArgs } from 'node:util';
import type { DatabaseRole } from '../../db/access/grants.js';

/** The command line cannot be carried out. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** The account that gets the rights of each role, as SQL writes it: `'name'@'host'`. */
export type Accounts = Partial<Record<DatabaseRole, string>>;

export const help = `
Usage: npm run migrate [-- options]

Brings the schema of DATABASE_URL up to date. Its account must be allowed to create tables.

  --api-account NAME[@HOST]      then give this existing account the rights that the API needs, and no others
  --worker-account NAME[@HOST]   the same for workers. HOST is % unless given. For both, the account of DATABASE_URL must
                                 be allowed to pass its rights on (WITH GRANT OPTION)
  --help

Exit code: 0 done, 1 it could not be done, 2 the command line is wrong.
`.trim();

/**
 * Reads the arguments.
 * @returns null if help is asked for
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
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    // Node's message continues with advice for another situation.
    const [reason = ''] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(reason);
  }
}

/** A statement that grants rights takes no parameters, so only what needs no escaping is accepted. */
function accountOf(option: string, given: string): string {
  const [, name, host = '%'] = /^([\w.-]{1,80})(?:@([\w.%:-]{1,255}))?$/.exec(given) ?? [];
  if (name) return `'${name}'@'${host}'`;
  throw new UsageError(`${option} must be NAME or NAME@HOST, not ${given}`);
}
