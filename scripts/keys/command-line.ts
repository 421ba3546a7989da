import { parseArgs } from 'node:util';
import { SCOPES, type Scope } from '../../db/access/api-keys.js';

/** The command line is not one that can be carried out. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export type Command =
  | { verb: 'create'; name: string; scopes: Scope[]; days: number | null }
  | { verb: 'list' }
  | { verb: 'revoke'; id: string }
  | { verb: 'help' };

export const help = `
Usage: npm run keys -- create --name NAME --scope SCOPE [--scope SCOPE ...] [--days N]
       npm run keys -- list
       npm run keys -- revoke ID

Makes, lists and revokes API keys, in the database of DATABASE_URL or else in the private one of a running npm start
(of DATA_DIR, default .data).

  create    shows the new key on standard output, once: it is stored nowhere in clear. With npm run --silent nothing
            else stands there. --days N lets it expire N days from now; otherwise it is valid until it is revoked.
  list      all keys, newest first, without their texts
  revoke    ends a key for good; every API host refuses it within 5 s

  Scopes: ${SCOPES.slice(0, 4).join(', ')},
          ${SCOPES.slice(4).join(', ')}

Exit code: 0 done, 1 it could not be done, 2 the command line is wrong.
`.trim();

/** Reads the arguments. @throws UsageError */
export function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [verb, ...rest] = positionals;
  if (values.help) return { verb: 'help' };
  if (verb === 'create') {
    refuseMore(rest);
    return { verb, name: nameOf(values.name), scopes: scopesOf(values.scope), days: daysOf(values.days) };
  }
  if (values.name ?? values.scope ?? values.days)
    throw new UsageError('--name, --scope and --days are for create');
  if (verb === 'list') {
    refuseMore(rest);
    return { verb };
  }
  if (verb === 'revoke') return { verb, id: idOf(rest) };
  throw new UsageError(
    verb ? `There is no ${verb}: create, list or revoke` : 'Say what to do: create, list or revoke',
  );
}

function parse(args: readonly string[]) {
  const options = {
    name: { type: 'string' },
    scope: { type: 'string', multiple: true },
    days: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    // Node's message goes on with advice for another situation.
    const [reason = ''] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(reason);
  }
}

function refuseMore([first]: string[]): void {
  if (first !== undefined) throw new UsageError(`${first} is too much`);
}

function nameOf(given = ''): string {
  const name = given.trim();
  if (name.length >= 1 && name.length <= 100) return name;
  throw new UsageError('Give the key a name of 1 to 100 characters with --name, to know it by later');
}

function scopesOf(given: string[] = []): Scope[] {
  const unknown = given.filter((scope) => !SCOPES.includes(scope as Scope));
  if (unknown.length > 0)
    throw new UsageError(`There is no scope ${unknown.join(', ')}: ${SCOPES.join(', ')}`);
  if (given.length === 0) throw new UsageError(`Say what the key may do with --scope: ${SCOPES.join(', ')}`);
  return [...new Set(given as Scope[])];
}

/** A hundred years are for ever, and the calendar of the database ends some time. */
function daysOf(given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^[1-9]\d{0,4}$/.test(given) && Number(given) <= 36_500) return Number(given);
  throw new UsageError(`--days is a whole number of days from 1 to 36500, not ${given}`);
}

function idOf([id, ...more]: string[]): string {
  refuseMore(more);
  if (id) return id;
  throw new UsageError('Say which key to revoke, by its id: list shows it');
}
