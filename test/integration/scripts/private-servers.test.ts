import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { connectDatabase } from '../../../db/client/connect.js';
import { lastLogLine } from '../../../scripts/logs/tail.js';
import {
  type PrivateServersOptions,
  privateServerLauncher,
  startPrivateServers,
} from '../../../scripts/private-servers/index.js';
import { scratchParent } from '../../support/scratch.js';
import { isAlive, until } from '../../support/until.js';

let dir: string;
const stops: (() => Promise<void>)[] = [];
/** Outside of the data directory, because its path cannot be used for a socket. */
const socketFolders: string[] = [];

beforeEach(() => {
  dir = mkdtempSync(join(scratchParent(), 'muster-servers-'));
});

afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  for (const made of [dir, ...socketFolders.splice(0)]) rmSync(made, { recursive: true });
});

async function start(options: Partial<PrivateServersOptions> = {}) {
  const servers = await startPrivateServers({ dir, durable: true, redoLogMb: 16, ...options });
  stops.push(servers.stop);
  return servers;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const database = connectDatabase(url);
  try {
    const [rows] = await database.raw(sql);
    return rows;
  } finally {
    await database.destroy();
  }
}

async function redis<Result>(url: string, ask: (client: Redis) => Promise<Result>): Promise<Result> {
  const client = new Redis({ path: url.slice('unix://'.length) });
  try {
    return await ask(client);
  } finally {
    client.disconnect();
  }
}

/** MySQL rounds up to a multiple of 128 MiB. */
const POOL_MB = 384;

test('both listen only on sockets, the database has the memory it is given, and a write is on disk before it is acknowledged', async () => {
  const { databaseUrls, redisUrl } = await start({ bufferPoolMb: POOL_MB });
  const settings = await query(
    databaseUrls.root,
    `SHOW VARIABLES WHERE Variable_name IN
       ('skip_networking', 'innodb_flush_log_at_trx_commit', 'local_infile', 'innodb_buffer_pool_size')`,
  );
  expect(Object.fromEntries(settings.map(({ Variable_name, Value }) => [Variable_name, Value]))).toEqual({
    skip_networking: 'ON',
    innodb_flush_log_at_trx_commit: '1',
    local_infile: 'OFF',
    innodb_buffer_pool_size: String(POOL_MB * 2 ** 20),
  });
  const names = ['port', 'appendonly', 'appendfsync', 'maxmemory-policy'];
  const kept = await redis(redisUrl, (client) => client.config('GET', ...names));
  expect(kept).toEqual(
    expect.arrayContaining(['port', '0', 'appendonly', 'yes', 'appendfsync', 'always', 'noeviction']),
  );
});

test('only this user can read data and passwords', async () => {
  await start();
  const modes = ['run', 'mariadb', 'redis', 'mariadb/passwords.json', 'mariadb/accounts.sql'].map(
    (name) => statSync(join(dir, name)).mode & 0o077,
  );
  expect(modes).toEqual([0, 0, 0, 0, 0]);
});

test('the owner may create tables; the API and the worker have no rights until they are granted', async () => {
  const { databaseUrls } = await start();
  await query(databaseUrls.owner, 'CREATE TABLE things (id INT)');
  for (const url of [databaseUrls.api, databaseUrls.worker]) {
    await expect(query(url, 'SELECT * FROM things')).rejects.toThrow(/denied/);
  }
  await query(databaseUrls.owner, `GRANT SELECT ON muster.things TO 'muster_api'@'localhost'`);
  await expect(query(databaseUrls.api, 'SELECT * FROM things')).resolves.toEqual([]);
  await expect(query(databaseUrls.owner, 'CREATE DATABASE elsewhere')).rejects.toThrow(/denied/);
});

test('a server killed with -9 restarts with all acknowledged data', async () => {
  const { databaseUrls, redisUrl, processes } = await start();
  await query(databaseUrls.owner, 'CREATE TABLE things (id INT)');
  await query(databaseUrls.owner, 'INSERT INTO things VALUES (1)');
  await redis(redisUrl, (client) => client.set('thing', '1'));
  for (const { pid } of Object.values(processes)) process.kill(pid, 'SIGKILL');
  await Promise.all(Object.values(processes).map(({ exited }) => exited));

  const again = await start();
  expect(again.redisUrl).toBe(redisUrl);
  expect(again.databaseUrls).toEqual(databaseUrls);
  expect(await query(databaseUrls.owner, 'SELECT id FROM things')).toEqual([{ id: 1 }]);
  expect(await redis(redisUrl, (client) => client.get('thing'))).toBe('1');
});

test('a transaction that a crash cut off has no effect, neither at the next start nor at later ones', async () => {
  const launch = privateServerLauncher({ dir, durable: true });
  const file = join(dir, 'redis/appendonlydir/appendonly.aof.1.incr.aof');
  let running = await launch.redis();
  stops.push(async () => void (await running.stop(5_000)));
  const kill = async () => {
    process.kill(running.pid, 'SIGKILL');
    await running.exited;
  };
  for (const bytes of [5, 60]) {
    await redis(running.url, (client) => client.multi().set('half', '1').set('other', 'x'.repeat(40)).exec());
    await kill();
    truncateSync(file, statSync(file).size - bytes);
    running = await launch.redis();
    await redis(running.url, (client) => client.set('later', String(bytes)));
    await kill();
    running = await launch.redis();
    const values = await redis(running.url, (client) => client.mget('half', 'other', 'later'));
    expect(values).toEqual([null, null, String(bytes)]);
  }
}, 60_000);

test('when a parent is killed with -9 its servers exit, and the next start waits for them', async () => {
  const holder = spawn(process.execPath, ['--import', 'tsx', 'test/support/servers/hold-servers.ts', dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(holder.stdout, 'data');
  const { pids, databaseUrl, redisUrl } = JSON.parse(String(line));
  await query(databaseUrl, 'CREATE TABLE things (id INT)');
  await redis(redisUrl, (client) => client.set('thing', '1'));
  holder.kill('SIGKILL');
  await once(holder, 'exit');

  const { processes } = await start();
  expect(pids.filter(isAlive)).toEqual([]);
  expect(Object.values(processes).map(({ pid }) => isAlive(pid))).toEqual([true, true]);
  expect(await query(databaseUrl, 'SELECT id FROM things')).toEqual([]);
  expect(await redis(redisUrl, (client) => client.get('thing'))).toBe('1');
});

test('temporary data is removed when its process is killed', async () => {
  const code = `const { startTestServers } = await import('./test/support/servers/servers.ts');
    const { servers } = await startTestServers();
    console.log(JSON.stringify(Object.values(servers.processes).map(({ pid, logFile }) => ({ pid, logFile }))));`;
  const holder = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(holder.stdout, 'data');
  const held: { pid: number; logFile: string }[] = JSON.parse(String(line));
  holder.kill('SIGKILL');
  const home = join(held[0]?.logFile ?? '', '../..');
  await until('servers and data are gone', () => {
    const left = ['mariadb', 'redis'].filter((name) => existsSync(join(home, name)));
    return left.length === 0 && !held.some(({ pid }) => isAlive(pid));
  });
  rmSync(home, { recursive: true, force: true });
});

test('files that a killed start leaves behind do not disturb the next one', async () => {
  mkdirSync(join(dir, 'run'), { mode: 0o700 });
  for (const name of ['mysql.sock', 'mysql.sock.lock', 'redis.sock']) {
    writeFileSync(join(dir, 'run', name), String(process.pid));
  }
  for (const name of ['mariadb', 'redis']) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'server.pid'), `${process.pid} 1`);
  }
  mkdirSync(join(dir, 'mariadb', 'data.new-1'));
  await start();
  expect(readdirSync(join(dir, 'mariadb')).filter((name) => name.startsWith('data'))).toEqual(['data']);
});

test('no temporary file is outside of the data directory, where a server that starts would remove it', async () => {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = join(dir, 'missing');
  try {
    await start();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
});

test.each([
  ['too deep for a socket', `${'deep/'.repeat(30)}data`],
  ['in need of escaping', "it's 100% mine & yours"],
])('a data directory whose path is %s', async (_what, path) => {
  const { databaseUrls, redisUrl } = await start({ dir: join(dir, path) });
  expect(redisUrl.length).toBeLessThan(110);
  expect(await query(databaseUrls.owner, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(await redis(redisUrl, (client) => client.ping())).toBe('PONG');
  socketFolders.push(dirname(redisUrl.slice('unix://'.length)));
});

test('a server that cannot start reports why, and the other one is stopped', async () => {
  mkdirSync(join(dir, 'mariadb', 'data'), { recursive: true });
  writeFileSync(join(dir, 'mariadb', 'data', 'ibdata1'), 'not a database');
  await expect(start()).rejects.toThrow(/^exit code 1: .*(ERROR|Aborting)/);
  expect(lastLogLine(join(dir, 'logs', 'redis.log'))).toMatch(/bye bye/);
  expect(readFileSync(join(dir, 'logs', 'mariadb.log'), 'utf8')).not.toBe('');
});

test('a server can be stopped while it starts', async () => {
  const { privateServerLauncher } = await import('../../../scripts/private-servers/index.js');
  const launch = privateServerLauncher({ dir, durable: true, redoLogMb: 16 });
  await expect(launch.redis(AbortSignal.abort())).rejects.toThrow(/^stopped/);
});
