import { SCOPES, type Scope } from '../../db/access/api-keys.js';
import { parseCommandLine, UsageError } from '../text/command-line.js';

export type Command =
  | { verb: 'create'; name: string; scopes: Scope[]; days: number | null }
  | { verb: 'list' }
  | { verb: 'revoke'; id: string }
  | { verb: 'help' };

/** Stands for all scopes, on the command line only: a key has a list of scopes. */
const ALL = 'all';
const KNOWN = [...SCOPES, `or ${ALL} alone`].join(', ');

export const help = `
Usage: npm run keys -- create --name NAME --scope SCOPE [--scope SCOPE ...] [--days N]
       npm run keys -- list
       npm run keys -- revoke ID

Creates, lists and revokes API keys, in the database of DATABASE_URL or else in the private database of a running
npm start (in DATA_DIR, default .data).

  create    prints the new key to standard output, once: Muster stores only its hash. With npm run --silent nothing else
            is printed there. With --days N it expires in N days; otherwise it is valid until it is revoked.
  list      lists all keys, newest first, without their texts
  revoke    revokes a key permanently; every API host rejects it within 5 s

  Scopes: ${SCOPES.slice(0, 4).join(', ')},
          ${SCOPES.slice(4).join(', ')};
          all: each of them, for the first key of a deployment

Exit codes: 0 done, 1 failed, 2 the command line is invalid.
`.trim();

/** Reads the arguments. @throws UsageError */
export function readCommandLine(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [verb, ...rest] = positionals;
  if (values.help) return { verb: 'help' };
  if (verb === 'create') {
    rejectMore(rest);
    return { verb, name: nameOf(values.name), scopes: scopesOf(values.scope), days: daysOf(values.days) };
  }
  if (values.name ?? values.scope ?? values.days)
    throw new UsageError('--name, --scope and --days apply only to create');
  if (verb === 'list') {
    rejectMore(rest);
    return { verb };
  }
  if (verb === 'revoke') return { verb, id: idOf(rest) };
  throw new UsageError(
    verb
      ? `Unknown command ${verb}: use create, list or revoke`
      : 'Missing command: use create, list or revoke',
  );
}

function parse(args: readonly string[]) {
  const options = {
    name: { type: 'string' },
    scope: { type: 'string', multiple: true },
    days: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  return parseCommandLine({ args: [...args], allowPositionals: true, options });
}

function rejectMore([first]: string[]): void {
  if (first !== undefined) throw new UsageError(`Unexpected argument ${first}`);
}

function nameOf(given = ''): string {
  const name = given.trim();
  if (name.length >= 1 && name.length <= 100) return name;
  throw new UsageError('--name must be a name of 1 to 100 characters');
}

function scopesOf(given: string[] = []): Scope[] {
  if (given.length === 1 && given[0] === ALL) return [...SCOPES];
  const unknown = given.filter((scope) => !SCOPES.includes(scope as Scope));
  if (unknown.length > 0) throw new UsageError(`Unknown scope ${unknown.join(', ')}: use ${KNOWN}`);
  if (given.length === 0) throw new UsageError(`Missing --scope: use ${KNOWN}`);
  return [...new Set(given as Scope[])];
}

/** At most a hundred years, because dates in the database have an end. */
function daysOf(given: string | undefined): number | null {
  if (given === undefined) return null;
  if (/^[1-9]\d{0,4}$/.test(given) && Number(given) <= 36_500) return Number(given);
  throw new UsageError(`--days must be an integer from 1 to 36,500, not ${given}`);
}

function idOf([id, ...more]: string[]): string {
  rejectMore(more);
  if (id) return id;
  throw new UsageError('Missing the id of the key to revoke; list shows the ids');
}
