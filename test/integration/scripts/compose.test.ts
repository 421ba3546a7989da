import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { findServers } from '../../../scripts/private-servers/find.js';
import { freePort } from '../../../scripts/processes/free-port.js';
import { end, type Processes, startProcesses } from '../../support/servers/processes.js';
import { until } from '../../support/until.js';

const compose = readFileSync('compose.yaml', 'utf8');

/** The text of each service, by its name. */
const services = new Map<string, string>();
const [, section = ''] = /^services:\n(.*?)^\S/ms.exec(compose) ?? [];
for (const [, name = '', text = ''] of section.matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)+)/gm))
  services.set(name, text);

test('every service is hardened and limited', () => {
  expect([...services.keys()]).toEqual(['mariadb', 'redis', 'migrate', 'api', 'worker']);
  for (const text of services.values()) {
    expect(text).toMatch(/<<: \*(hardened|muster)/);
    expect(text).toMatch(/mem_limit: \d/);
  }
  for (const rule of ['cap_drop: [ALL]', 'read_only: true', 'no-new-privileges:true', 'pids_limit:']) {
    expect(compose).toContain(rule);
  }
});

test('the database has a buffer pool that fits its memory, and gives up locks soon', () => {
  const database = services.get('mariadb') ?? '';
  expect(database).toMatch(/--innodb-buffer-pool-size=1G[\s\S]*mem_limit: 2g/);
  expect(database).toContain('--innodb-lock-wait-timeout=5');
});

test('ports are open only to this host, and the stores publish none', () => {
  expect(compose.match(/^ +- ".*:\d+"$/gm)).toEqual([expect.stringMatching(/- "127\.0\.0\.1:/)]);
  expect(compose.match(/ports:/g)).toHaveLength(1);
  for (const store of ['mariadb', 'redis']) expect(services.get(store)).toContain('networks: [stores]');
  expect(compose).toContain('stores: { internal: true }');
});

test('images have an exact version', () => {
  const images = compose.match(/image: .*/g) ?? [];
  expect(images).toHaveLength(2);
  for (const image of images) expect(image).toMatch(/^image: [\w/]+:\d+\.\d+\.\d+$/);
  expect(readFileSync('Dockerfile', 'utf8')).toMatch(/^ARG NODE_IMAGE=node:\d+\.\d+\.\d+-bookworm-slim$/m);
});

test('each secret is passed only to the services that need it', () => {
  const holders = (secret: string) =>
    [...services].filter(([, text]) => text.includes(secret)).map(([name]) => name);
  expect(holders('SECRET_KEY')).toEqual(['api', 'worker']);
  expect(holders('DATABASE_OWNER_PASSWORD')).toEqual(['mariadb', 'migrate']);
  expect(holders('DATABASE_API_PASSWORD')).toEqual(['mariadb', 'api']);
  expect(holders('DATABASE_WORKER_PASSWORD')).toEqual(['mariadb', 'worker']);
  expect(holders('REDIS_PASSWORD')).toEqual(['redis', 'api', 'worker']);
});

describe('the command of Redis', () => {
  const [, , script] = parse(compose).services.redis.command as string[] as [string, string, string];
  const password = '0123456789abcdef'.repeat(3);
  let folder: string;
  let server: ChildProcess;
  let port: number;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'muster-compose-'));
    port = await freePort();
    symlinkSync(findServers().redis as string, join(folder, 'redis-server'));
    const here = script.replaceAll('/tmp/', `${folder}/`).replace('valkey-server', `${folder}/redis-server`);
    const local = ` --bind 127.0.0.1 --port ${port} --dir ${folder}`;
    server = spawn('sh', ['-ec', here + local], {
      env: { ...process.env, REDISCLI_AUTH: password },
      stdio: 'ignore',
    });
    await until('Redis responds', () => cli('ping').includes('PONG'));
  });
  afterAll(async () => {
    await end(server);
    rmSync(folder, { recursive: true });
  });

  const cli = (command: string, auth = password): string =>
    spawnSync('redis-cli', ['-p', String(port), command], {
      encoding: 'utf8',
      env: { ...process.env, REDISCLI_AUTH: auth },
    }).stdout;

  test('lets nobody in without the password', () => {
    expect(cli('ping', '')).toContain('NOAUTH');
    expect(cli('ping', 'wrong')).not.toContain('PONG');
    expect(cli('ping')).toBe('PONG\n');
  });

  test('shows the password neither in its arguments nor to other users', () => {
    const args = execFileSync('ps', ['ww', '-o', 'args=', '-p', String(server.pid)], { encoding: 'utf8' });
    expect(args).toContain('redis-server');
    expect(args).not.toContain(password);
    expect(statSync(join(folder, 'redis.conf')).mode & 0o077).toBe(0);
  });
});

test('a dollar sign occurs only where Compose inserts a variable', () => {
  expect(compose).not.toMatch(/\$(?!\{[A-Z_]+[:}])/);
});

test('an .env file is part of neither the image nor the repository', () => {
  for (const file of ['.dockerignore', '.gitignore'])
    expect(readFileSync(file, 'utf8')).toMatch(/^\.env\*$/m);
});

describe('health checks', () => {
  let processes: Processes;
  let metricsPort: string;
  beforeAll(async () => {
    metricsPort = String(await freePort());
    processes = await startProcesses();
  });
  afterAll(() => processes.stop());

  /**
   * Runs the health check of a service, on the ports of these processes instead of the containers.
   * @returns the exit code
   */
  async function check(service: string, port: string): Promise<number> {
    const [, script = ''] = /test: \[CMD, node, -e, ("[^\n]*")\]/.exec(services.get(service) ?? '') ?? [];
    const code = (JSON.parse(script) as string).replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
    const child = spawn(process.execPath, ['-e', code], { env: {}, stdio: 'ignore' });
    const [exitCode] = await once(child, 'exit');
    return exitCode;
  }

  test('the API and the worker are healthy while they can work, and unhealthy without the worker', async () => {
    const worker = processes.start('workers', { METRICS_PORT: metricsPort });
    await until('the worker is healthy', async () => (await check('worker', metricsPort)) === 0);
    await until('the API is healthy', async () => (await check('api', String(processes.port))) === 0);
    for (const each of [worker, ...processes.workers]) await end(each);
    expect(await check('worker', metricsPort)).toBe(1);
    await until('the API misses the worker', async () => (await check('api', String(processes.port))) === 1);
  });
});
