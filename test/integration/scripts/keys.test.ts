import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  findApiKeyByHash,
  generateKeyText,
  hashKeyText,
  isKeyText,
  SCOPES,
} from '../../../db/access/api-keys.js';
import { runKeys } from '../../../scripts/keys/run.js';
import { startPrivateServers } from '../../../scripts/private-servers/index.js';
import { prepareDatabase } from '../../../scripts/start/prepare-database.js';
import { scratchParent } from '../../support/scratch.js';
import { createTestDatabase, type TestDatabase } from '../../support/servers/database.js';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => db.database('api_keys').delete());

async function keys(args: string[], env: Record<string, string> = { DATABASE_URL: db.url }) {
  let out = '';
  let err = '';
  const code = await runKeys(args, {
    env,
    out: {
      write: (text) => {
        out += text;
      },
    },
    err: {
      write: (text) => {
        err += text;
      },
    },
  });
  return { code, out, err };
}

const create = ['create', '--name', 'loader', '--scope', 'developer_records:write'];

test('a new key is the only text on standard output, and has its scopes', async () => {
  const { code, out, err } = await keys([...create, '--scope', 'developer_records:read', '--days', '30']);
  expect(code).toBe(0);
  const text = out.trim();
  expect(out).toBe(`${text}\n`);
  expect(isKeyText(text)).toBe(true);
  expect(err).toMatch(/^Created key [\w-]{36}, valid until \d{4}-\d\d-\d\d \d\d:\d\dZ\. .*once/);
  const apiKey = await findApiKeyByHash(db.database, hashKeyText(text));
  expect(apiKey).toMatchObject({
    name: 'loader',
    scopes: ['developer_records:write', 'developer_records:read'],
  });
  const days = (Number(apiKey?.expiresAt) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(29.9);
  expect(days).toBeLessThanOrEqual(30);
});

test('the scope all stands for every scope', async () => {
  const { code, out } = await keys(['create', '--name', 'first', '--scope', 'all']);
  expect(code).toBe(0);
  expect((await findApiKeyByHash(db.database, hashKeyText(out.trim())))?.scopes).toEqual([...SCOPES]);
});

test('the list shows every key with its state, in aligned columns, and never the text of a key', async () => {
  const { out: text } = await keys(create);
  await keys(['create', '--name', 'an \x1b[31mold one', '--scope', 'admin']);
  await db
    .database('api_keys')
    .where({ scopes: 'admin' })
    .update({ expires_at: new Date(0) });
  const { code, out } = await keys(['list']);
  expect(code).toBe(0);
  expect(out).not.toContain(text.trim());
  const [heading = '', ...lines] = out.trimEnd().split('\n');
  expect(heading).toMatch(/^ID +NAME +STATE +CREATED +LAST USED +EXPIRES +SCOPES$/);
  expect(lines).toHaveLength(2);
  const at = (title: string) => lines.map((line) => line.slice(heading.indexOf(title)).split(/ {2,}/)[0]);
  expect(at('STATE').sort()).toEqual(['expired', 'valid']);
  expect(at('NAME').sort()).toEqual(['an \\x1B[31mold one', 'loader']);
  expect(at('SCOPES').sort()).toEqual(['admin', 'developer_records:write']);
});

test('a revoked key is listed as revoked; revoking an unknown key fails', async () => {
  const { err } = await keys(create);
  const [, id = ''] = /^Created key (\S+),/.exec(err) ?? [];
  expect(await keys(['revoke', id])).toMatchObject({ code: 0, out: '' });
  expect((await keys(['list'])).out).toContain('revoked');
  expect(await keys(['revoke', 'nobody'])).toEqual({ code: 1, out: '', err: 'No key has the id nobody.\n' });
});

test.each([
  [[], /^Missing command: use create/],
  [['drop'], /^Unknown command drop/],
  [['create', '--scope', 'admin'], /--name/],
  [['create', '--name', 'x'], /^Missing --scope: use developer_records:read, /],
  [['create', '--name', 'x', '--scope', 'root'], /^Unknown scope root: use /],
  [[...create, '--scope', 'all'], /^Unknown scope all: use .*, or all alone/],
  [[...create, '--days', '0'], /^--days .* not 0/],
  [['revoke'], /^Missing the id of the key/],
  [['list', 'all'], /^Unexpected argument all/],
  [['list', '--days', '3'], /apply only to create/],
  [['list', '--verbose'], /^Unknown option '--verbose'/],
])('an invalid command line exits with 2: %j', async (args, message) => {
  const { code, out, err } = await keys(args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(message);
  expect(await db.database('api_keys')).toEqual([]);
});

test('help names every scope', async () => {
  const { code, out } = await keys(['--help']);
  expect(code).toBe(0);
  for (const scope of SCOPES) expect(out).toContain(scope);
});

test('a database that is unavailable or has no tables, and an invalid address, are reported in one line', async () => {
  const unavailable = await keys(['list'], { DATABASE_URL: 'mysql://u:p@127.0.0.1:9/x' });
  expect(unavailable).toEqual({
    code: 1,
    out: '',
    err: 'The database of DATABASE_URL cannot be reached (ECONNREFUSED).\n',
  });
  const empty = new URL(db.url);
  empty.pathname = '/test_empty_keys';
  await db.database.raw('CREATE DATABASE test_empty_keys');
  const bare = await keys(['list'], { DATABASE_URL: empty.href });
  await db.database.raw('DROP DATABASE test_empty_keys');
  expect(bare.err).toBe('The database has no Muster tables yet: run npm run migrate.\n');
  expect((await keys(['list'], { DATABASE_URL: 'muster' })).err).toMatch(/^DATABASE_URL is invalid/);
});

test('the private database of a data directory is found while it runs, and reported when it does not', async () => {
  const dir = mkdtempSync(join(scratchParent(), 'muster-keys-'));
  const env = { DATA_DIR: dir };
  try {
    const never = await keys(['list'], env);
    expect([never.code, never.err]).toEqual([1, expect.stringContaining(`No Muster data in ${dir}`)]);
    const servers = await startPrivateServers({ dir, durable: false, redoLogMb: 16 });
    try {
      const ownerUrl = servers.databaseUrls.owner;
      await prepareDatabase({ ownerUrl, isPrivate: true, apiKey: generateKeyText() });
      expect(await keys(create, env)).toMatchObject({ code: 0 });
      expect((await keys(['list'], env)).out).toMatch(/loader[\s\S]*first key/);
    } finally {
      await servers.stop();
    }
    const gone = await keys(['list'], env);
    expect(gone).toEqual({
      code: 1,
      out: '',
      err: `Muster is not running in ${dir}: run npm start.\n`,
    });
  } finally {
    rmSync(dir, { recursive: true });
  }
});
