import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../../db/access/api-keys.js';
import type { Database } from '../../db/client/connect.js';
import { calledAs } from '../text/called-as.js';
import { type CliContext, reportError } from '../text/command-line.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { type Command, help, readCommandLine } from './command-line.js';
import { findStore } from './database-url.js';
import { onDatabase } from './on-database.js';

/**
 * Runs one command line.
 * @returns the exit code
 */
export async function runKeys(args: readonly string[], context: CliContext): Promise<number> {
  const { env, out, err } = context;
  try {
    const command = readCommandLine(args);
    if (command.verb === 'help') out.write(`${help}\n`);
    else await onDatabase(findStore(env, 'api'), (database) => carryOut(command, database, context));
    return 0;
  } catch (error) {
    return reportError(error, calledAs('keys', env), err);
  }
}

async function carryOut(
  command: Exclude<Command, { verb: 'help' }>,
  database: Database,
  { out, err }: CliContext,
): Promise<void> {
  if (command.verb === 'create') {
    const { apiKey, text } = await createApiKey(database, { ...command, expiresAt: expiryOf(command.days) });
    out.write(`${text}\n`);
    const until = apiKey.expiresAt ? `until ${moment(apiKey.expiresAt)}` : 'until it is revoked';
    err.write(`Created key ${apiKey.id}, valid ${until}. The key is shown only once: save it now.\n`);
  } else if (command.verb === 'list') {
    out.write(`${keyTable(await listApiKeys(database), new Date()).join('\n')}\n`);
  } else {
    if (!(await revokeApiKey(database, command.id))) throw new Error(`No key has the id ${command.id}.`);
    err.write('Revoked. Every API host rejects it within 5 s.\n');
  }
}

function expiryOf(days: number | null): Date | null {
  return days === null ? null : new Date(Date.now() + days * 24 * 60 * 60 * 1_000);
}

/** Returns a heading and a line for each key. */
function keyTable(keys: readonly ApiKey[], now: Date): string[] {
  const heading = ['ID', 'NAME', 'STATE', 'CREATED', 'LAST USED', 'EXPIRES', 'SCOPES'];
  const rows = keys.map((key) => [
    key.id,
    printable(key.name),
    stateOf(key, now),
    moment(key.createdAt),
    moment(key.lastUsedAt),
    moment(key.expiresAt),
    key.scopes.join(' '),
  ]);
  return table([heading, ...rows]);
}

function stateOf({ revokedAt, expiresAt }: ApiKey, now: Date): string {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'valid';
}

/** Formats a time in UTC, to the minute. */
function moment(time: Date | null): string {
  return time ? `${time.toISOString().slice(0, 16).replace('T', ' ')}Z` : '-';
}
