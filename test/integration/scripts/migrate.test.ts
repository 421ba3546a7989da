import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { readCommandLine } from '../../../scripts/migrate/command-line.js';
import { runMigrate } from '../../../scripts/migrate/run.js';
import { type PrivateServers, startPrivateServers } from '../../../scripts/private-servers/index.js';
import { scratchParent } from '../../support/scratch.js';
import { startDatabaseDoor } from '../../support/servers/database-door.js';

/** A separate server, because accounts apply to a whole server. */
let dir: string;
let servers: PrivateServers;
let root: Database;

beforeAll(async () => {
  dir = mkdtempSync(join(scratchParent(), 'muster-migrate-'));
  servers = await startPrivateServers({ dir, durable: false, redoLogMb: 16 });
  root = connectDatabase(servers.databaseUrls.root);
  for (const name of ['muster_owner', 'muster_api', 'muster_worker']) {
    await root.raw(`DROP USER IF EXISTS '${name}'@'localhost'`);
  }
});
afterAll(async () => {
  await root.destroy();
  await servers.stop();
  rmSync(dir, { recursive: true });
});

const passwords = {
  DATABASE_OWNER_PASSWORD: 'owner0123456789abcdef',
  DATABASE_API_PASSWORD: 'api0123456789abcdef',
  DATABASE_WORKER_PASSWORD: 'worker0123456789abcdef',
};

/**
 * The statements of the script that compose.yaml passes to MariaDB's image. The image defines the function that runs
 * them.
 */
function accountStatements(env: Record<string, string>): string[] {
  const script = 'docker_process_sql() { cat; }; . deploy/create-accounts.sh';
  const sql = execFileSync('bash', ['-ec', script], { encoding: 'utf8', env, stdio: 'pipe' });
  return sql.split(/;\n/).filter((statement) => statement !== '');
}

const urlOf = (account: string, password: string) => {
  const url = new URL(servers.databaseUrls.root);
  [url.username, url.password, url.pathname] = [account, password, '/muster'];
  return url.href;
};

async function migrate(args: string[], DATABASE_URL: string) {
  const said = { out: '', err: '' };
  const sink = (name: 'out' | 'err') => ({
    write: (text: string) => {
      said[name] += text;
    },
  });
  const code = await runMigrate(args, { env: { DATABASE_URL }, out: sink('out'), err: sink('err') });
  return { code, ...said };
}

test('the accounts of compose.yaml: the owner migrates and grants, API and worker get their rights and no others', async () => {
  await root.raw('CREATE DATABASE IF NOT EXISTS muster');
  for (const statement of accountStatements(passwords)) await root.raw(statement);
  const [, args = ''] =
    /command: node dist\/scripts\/migrate\.js (.*)/.exec(readFileSync('compose.yaml', 'utf8')) ?? [];
  const owner = urlOf('muster_owner', passwords.DATABASE_OWNER_PASSWORD);
  expect(await migrate(args.split(' '), owner)).toEqual({
    code: 0,
    out: expect.stringMatching(
      /^Migrated: .*\nRights granted to 'muster_api'@'%' and 'muster_worker'@'%'\.\n$/,
    ),
    err: '',
  });
  expect((await migrate(args.split(' '), owner)).out).toMatch(/^The schema is up to date\.\nRights granted/);
  const api = connectDatabase(urlOf('muster_api', passwords.DATABASE_API_PASSWORD));
  const worker = connectDatabase(urlOf('muster_worker', passwords.DATABASE_WORKER_PASSWORD));
  const denied = { code: expect.stringMatching(/^ER_.*ACCESS_DENIED/) };
  try {
    expect(await api('identities')).toEqual([]);
    await expect(api('identities').delete()).rejects.toMatchObject(denied);
    expect(await worker('identities').delete()).toBe(0);
    await expect(worker('api_keys').delete()).rejects.toMatchObject(denied);
    for (const each of [api, worker])
      await expect(each.raw('CREATE TABLE x (y INT)')).rejects.toMatchObject(denied);
  } finally {
    await Promise.all([api.destroy(), worker.destroy()]);
  }
});

test('a password that is not allowed in a URL creates no account', () => {
  const run = (DATABASE_OWNER_PASSWORD: string) =>
    accountStatements({ ...passwords, DATABASE_OWNER_PASSWORD });
  for (const password of ['', 'short', "it's 50% of a password", 'slash/0123456789']) {
    expect(() => run(password)).toThrow(
      /muster_owner must have at least 16 characters, letters and digits only/,
    );
  }
});

test('a missing right to grant, or a missing address, is reported in one line', async () => {
  const url = urlOf('muster_api', passwords.DATABASE_API_PASSWORD);
  const { code, err } = await migrate(['--api-account', 'muster_worker'], url);
  expect([code, err]).toEqual([1, expect.stringMatching(/^The database cannot be migrated: .*denied.*\n$/)]);
  expect((await migrate([], '')).err).toMatch(/^Set DATABASE_URL to the database to migrate: .*\n$/);
  expect((await migrate([], 'muster')).err).toMatch(/^DATABASE_URL must be mysql:.*\n$/);
});

test('a URL with several hosts is migrated through one that accepts connections', async () => {
  const door = await startDatabaseDoor(urlOf('muster_owner', passwords.DATABASE_OWNER_PASSWORD));
  try {
    const { host } = new URL(door.url);
    const { code, out, err } = await migrate([], door.url.replace(host, `127.0.0.1:1,${host}`));
    expect([code, err, out.split('\n')[0]]).toEqual([0, '', 'The schema is up to date.']);
  } finally {
    await door.stop();
  }
});

test('reads accounts, and rejects values that would need escaping', () => {
  expect(readCommandLine([])).toEqual({});
  expect(readCommandLine(['--api-account', 'api', '--worker-account', 'w@10.0.0.%'])).toEqual({
    api: "'api'@'%'",
    worker: "'w'@'10.0.0.%'",
  });
  expect(readCommandLine(['--help'])).toBeNull();
  for (const account of ["a'b", 'a@b@c', '', 'a b']) {
    expect(() => readCommandLine(['--api-account', account])).toThrow(/must be NAME or NAME@HOST/);
  }
});
