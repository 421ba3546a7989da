import type { Knex } from 'knex';
import {
  type ApiKey,
  createApiKey,
  findApiKey,
  listApiKeys,
  revokeApiKey,
} from '../../db/access/api-keys.js';
import { systemOrigin } from '../../db/audit/entry.js';
import { writeAudit } from '../../db/audit/write-audit.js';
import type { Database } from '../../db/client/connect.js';
import { inTransaction } from '../../db/client/transaction.js';
import { calledAs } from '../text/called-as.js';
import { type CliContext, reportError } from '../text/command-line.js';
import { printable } from '../text/printable.js';
import { table } from '../text/table.js';
import { type Command, help, readCommandLine } from './command-line.js';
import { findStore } from './database-url.js';
import { onDatabase } from './on-database.js';

/** Who the audit log says has made or revoked a key. */
const COMMAND = 'npm run keys';

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
    const key = { ...command, expiresAt: expiryOf(command.days) };
    const { apiKey, text } = await inTransaction(database, async (transaction) => {
      const made = await createApiKey(transaction, key);
      const { id, name, scopes, expiresAt } = made.apiKey;
      const change = { kind: 'api_key' as const, id, name, before: null, after: { name, scopes, expiresAt } };
      await writeAudit(transaction, systemOrigin(COMMAND, 'createKey'), [change]);
      return made;
    });
    out.write(`${text}\n`);
    const until = apiKey.expiresAt ? `until ${moment(apiKey.expiresAt)}` : 'until it is revoked';
    err.write(`Created key ${apiKey.id}, valid ${until}. The key is shown only once: save it now.\n`);
  } else if (command.verb === 'list') {
    out.write(`${keyTable(await listApiKeys(database), new Date()).join('\n')}\n`);
  } else {
    await inTransaction(database, (transaction) => revoke(transaction, command.id));
    err.write('Revoked. Every API host rejects it within 5 s.\n');
  }
}

async function revoke(transaction: Knex.Transaction, id: string): Promise<void> {
  const before = await findApiKey(transaction, id);
  if (!before) throw new Error(`No key has the id ${id}.`);
  if (before.revokedAt) return;
  await revokeApiKey(transaction, id);
  const after = await findApiKey(transaction, id);
  const [from, to] = [{ revokedAt: null }, { revokedAt: after?.revokedAt }];
  const change = { kind: 'api_key' as const, id, name: before.name, before: from, after: to };
  await writeAudit(transaction, systemOrigin(COMMAND, 'revokeKey'), [change]);
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
