import { type ApiKey, createApiKey, listApiKeys, revokeApiKey } from '../../db/access/api-keys.js';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { type Command, help, readCommandLine, UsageError } from './command-line.js';
import { findKeyStore, type KeyStore } from './database-url.js';

/** What a run gets from the process around it. */
export interface CliContext {
  env: Record<string, string | undefined>;
  /** Takes what was asked for. */
  out: { write(text: string): unknown };
  /** Takes everything that is said about it. */
  err: { write(text: string): unknown };
}

/** Carries out one command line; see `help`. @returns the exit code */
export async function runKeys(args: readonly string[], around: CliContext): Promise<number> {
  const { env, out, err } = around;
  try {
    const command = readCommandLine(args);
    if (command.verb === 'help') out.write(`${help}\n`);
    else await onDatabase(findKeyStore(env), (database) => carryOut(command, database, around));
    return 0;
  } catch (error) {
    const hint = error instanceof UsageError ? '.\nnpm run keys -- --help tells more.' : '';
    err.write(`${printable((error as Error).message)}${hint}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function onDatabase(store: KeyStore, work: (database: Database) => Promise<void>): Promise<void> {
  const database = connect(store);
  try {
    await work(database);
  } catch (error) {
    throw explained(error, store);
  } finally {
    await database.destroy();
  }
}

function connect({ url }: KeyStore): Database {
  try {
    return connectDatabase(url, { poolMax: 1, acquireTimeoutMs: 10_000 });
  } catch {
    throw new Error('DATABASE_URL is no address of a database: mysql://user:password@host:port/database');
  }
}

/** The driver's own words on what keeps the database from answering; a statement is never shown. */
function explained(error: unknown, { isPrivate, dataDir }: KeyStore): unknown {
  const { code, errno, sqlMessage } = error as { code?: string; errno?: number; sqlMessage?: string };
  if (isDatabaseUnavailable(error)) {
    return isPrivate
      ? new Error(`The Muster in ${dataDir} is not running: npm start runs it.`)
      : new Error(`The database of DATABASE_URL cannot be reached (${code ?? 'no answer in time'}).`);
  }
  const noSuchTable = errno === 1146;
  if (noSuchTable) return new Error('The database has no Muster tables yet: npm run migrate makes them.');
  return sqlMessage === undefined ? error : new Error(`The database refused: ${sqlMessage}`);
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
    err.write(`Key ${apiKey.id}, valid ${until}. It is shown this once: keep it now.\n`);
  } else if (command.verb === 'list') {
    out.write(`${keyTable(await listApiKeys(database), new Date()).join('\n')}\n`);
  } else {
    if (!(await revokeApiKey(database, command.id))) throw new Error(`There is no key ${command.id}.`);
    err.write('Revoked. Every API host refuses it within 5 s.\n');
  }
}

function expiryOf(days: number | null): Date | null {
  return days === null ? null : new Date(Date.now() + days * 24 * 60 * 60 * 1_000);
}

/** A line a key, below a heading. */
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

/** UTC, to the minute. */
function moment(time: Date | null): string {
  return time ? `${time.toISOString().slice(0, 16).replace('T', ' ')}Z` : '-';
}
