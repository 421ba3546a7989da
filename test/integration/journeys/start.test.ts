import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findProgram } from '../../../scripts/private-servers/find.js';
import { freePort } from '../../../scripts/processes/free-port.js';
import {
  type Access,
  nodeStart,
  npmStart,
  type Part,
  parts,
  pidOf,
  readRecords,
  runningParts,
  type Started,
  storeRecord,
  terminalStart,
  untilRunning,
} from '../../support/servers/muster.js';
import { testUnless } from '../../support/test-unless.js';
import { until } from '../../support/until.js';

const testInTerminal = testUnless(
  findProgram('script', process.env.PATH ?? '')
    ? null
    : 'it needs script of util-linux, which opens a terminal',
);

let dataDir: string;
const runs: Started[] = [];

beforeAll(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'muster-start-')), 'data');
});

afterAll(async () => {
  for (const { child } of runs) child.kill('SIGTERM');
  await Promise.all(runs.map(({ ended }) => ended));
  await until('all processes have exited', () => runningParts(dataDir).length === 0);
  rmSync(join(dataDir, '..'), { recursive: true });
});

function start(env: Record<string, string> = {}, how = npmStart): Started {
  const run = how({ DATA_DIR: dataDir, PORT: '0', ...env });
  runs.push(run);
  return run;
}

async function stop(run: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
  run.child.kill(signal);
  return run.ended;
}

/** Returns the commands of the banner. */
function commandsIn(output: string): string[] {
  return output.match(/^(?:curl|printf) (?:.*[\\|]\n)*.*$/gm) ?? [];
}

async function identities(access: Access): Promise<string[]> {
  const { data } = (await (await readRecords(access)).json()) as { data: { identity: string }[] };
  return data.map(({ identity }) => identity);
}

describe('npm start', () => {
  let run: Started;
  let access: Access;
  let metricsPort: number;

  test('on an empty data directory prints an address and a key that work', async () => {
    metricsPort = await freePort();
    run = start({ METRICS_PORT: String(metricsPort) });
    access = await untilRunning(run);
    expect((await readRecords(access)).status).toBe(200);
    expect(statSync(join(dataDir, 'api-key')).mode & 0o777).toBe(0o600);
    expect(runningParts(dataDir)).toEqual(parts);
  });

  test('passes each secret key only to those who need it', () => {
    const settingsOf = (part: Part) => {
      const pid = String(pidOf(dataDir, part));
      // `ps e` shows the environment on every system; on Linux, only /proc shows all of it.
      return existsSync(`/proc/${pid}/environ`)
        ? readFileSync(`/proc/${pid}/environ`, 'utf8')
        : execFileSync('ps', ['eww', '-p', pid], { encoding: 'utf8' });
    };
    const holders = (name: string) => [settingsOf('api').includes(name), settingsOf('worker').includes(name)];
    expect(holders('SECRET_KEY=')).toEqual([true, true]);
    expect(holders('GREETING_KEY=')).toEqual([true, false]);
  });

  test('gives the private database the memory of DB_MEMORY_MB, and prints it', () => {
    const pid = String(pidOf(dataDir, 'mariadb'));
    const command = execFileSync('ps', ['ww', '-o', 'args=', '-p', pid], { encoding: 'utf8' });
    expect(command).toContain(' --innodb-buffer-pool-size=128M ');
    expect(run.output()).toMatch(/^ {2}MariaDB \(128 MB\) and Redis +[\d.]+ s$/m);
  });

  test('first prints a link to the console, without the key, because the output is not a terminal', async () => {
    const [, link = ''] = /Muster is running.*\n\n +Console +(\S+)\n/.exec(run.output()) ?? [];
    expect(link).toBe(`${access.address}/`);
    expect(run.output()).not.toContain(access.apiKey);
    const page = await fetch(link);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    // The bundler decides which chunk reads the key.
    const names = (await page.text()).match(/\/console\/assets\/[^"]+\.js/g) ?? [];
    const files = await Promise.all(names.map((name) => fetch(access.address + name)));
    for (const { headers } of files) expect(headers.get('content-type')).toMatch(/^text\/javascript/);
    const scripts = await Promise.all(files.map((file) => file.text()));
    expect(scripts.some((script) => script.includes('sessionStorage'))).toBe(true);
  });

  test('serves the metrics of the API on METRICS_PORT, and of the worker on the next port', async () => {
    const metrics = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(await metrics(metricsPort)).toContain('\nmuster_intake_accepted_events_total 0\n');
    expect(await metrics(metricsPort + 1)).toContain('\nmuster_events_stored_total 0\n');
  });

  test('prints commands that work when pasted', async () => {
    const [store = '', read = '', upload = ''] = commandsIn(run.output());
    for (const command of [store, read, upload]) expect(command).toContain(join(dataDir, 'api-key'));
    if (findProgram('curl', process.env.PATH ?? '')) {
      expect(JSON.parse(execFileSync('sh', ['-c', `${store} -s`], { encoding: 'utf8' })).status).toBe(
        'success',
      );
      expect(execFileSync('sh', ['-c', `${read} -s`], { encoding: 'utf8' })).toContain('ada@example.com');
      const uploaded = execFileSync('sh', ['-c', `${upload} -s`], { encoding: 'utf8' });
      expect(JSON.parse(uploaded).counts).toMatchObject({ total: 1, created: 1 });
    } else {
      expect(await storeRecord(access, 'ada')).toBe(200);
      expect(await storeRecord(access, 'grace')).toBe(200);
    }
    expect(await identities(access)).toEqual(['ada', 'grace']);
  });

  test.each(parts)('restarts %s after it is killed', async (part) => {
    const pid = pidOf(dataDir, part) as number;
    process.kill(pid, 'SIGKILL');
    await until(`${part} runs again`, () => ![undefined, pid].includes(pidOf(dataDir, part)));
    await until('the API is ready', async () => (await readyz(access)) === 200);
    expect(await storeRecord(access, `after-${part}`)).toBe(200);
    expect(run.output()).toContain(`${part} exited (SIGKILL); restarting`);
  });

  test('exits with a one-line error if the data directory is in use', async () => {
    const second = start({}, nodeStart);
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(/^Muster is already running on .* as process \d+\. .*\n$/);
    expect((await readRecords(access)).status).toBe(200);
  });

  test('stops all processes on SIGTERM', async () => {
    expect(await stop(run)).toBe(0);
    expect(runningParts(dataDir)).toEqual([]);
  });

  testInTerminal(
    'after a restart keeps its key and data, and prints a link that signs in, and the key, to a terminal',
    async () => {
      run = start({}, terminalStart);
      await until('Muster is running', () => run.output().includes('Ctrl-C stops everything.'), 50_000);
      const [, address = '', apiKey = ''] = /Console +(http:\/\/\S+)\/#key=(\S+)\s/.exec(run.output()) ?? [];
      expect(apiKey).toBe(access.apiKey);
      expect(run.output()).toContain(`-H 'authorization: ApiKey ${apiKey}'`);
      access = { address, apiKey };
      expect(await identities(access)).toEqual(
        ['ada', 'grace', ...parts.map((part) => `after-${part}`)].sort(),
      );
    },
  );

  test('can start again on the same port after kill -9, with its key and data', async () => {
    if (runningParts(dataDir).length === 0) {
      run = start();
      access = await untilRunning(run);
    }
    process.kill(pidOf(dataDir, 'supervisor') as number, 'SIGKILL');
    await run.ended;
    run = start({ PORT: new URL(access.address).port });
    expect(await untilRunning(run)).toEqual(access);
    expect(await identities(access)).toContain('ada');
  });

  test('stops all processes after kill -9 of npm', async () => {
    expect(await stop(run, 'SIGKILL')).toBe('SIGKILL');
    await until(
      'all processes have exited',
      () => runningParts(dataDir).length === 0 && !pidOf(dataDir, 'supervisor'),
    );
  });

  test('leaves no process if it is stopped while it starts', async () => {
    run = start({}, nodeStart);
    await until('MariaDB has started', () => pidOf(dataDir, 'mariadb') !== undefined);
    expect(await stop(run)).toBe(0);
    expect(runningParts(dataDir)).toEqual([]);
  });

  test('starts no private servers if DATABASE_URL and REDIS_URL are set, and shuts down once if Ctrl-C arrives twice', async () => {
    const { TEST_DATABASE_URL = '', TEST_REDIS_URL = '' } = process.env;
    const other = join(dataDir, '..', 'given');
    run = start(
      {
        DATA_DIR: other,
        DATABASE_URL: TEST_DATABASE_URL,
        REDIS_URL: TEST_REDIS_URL,
        REDIS_PREFIX: '{start}',
      },
      nodeStart,
    );
    const given = await untilRunning(run);
    expect((await readRecords(given)).status).toBe(200);
    expect(existsSync(join(other, 'mariadb')) || existsSync(join(other, 'redis'))).toBe(false);
    const pid = pidOf(other, 'supervisor') as number;
    process.kill(pid, 'SIGINT');
    await sleep(30);
    process.kill(pid, 'SIGINT');
    expect(await run.ended).toBe(0);
    expect(run.output().match(/Stopping/g)).toHaveLength(1);
    expect(runningParts(other)).toEqual([]);
  });
});

describe('npm start exits with a one-line error', () => {
  test('if the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await until('the port is in use', () => server.listening);
    const { port } = server.address() as { port: number };
    const run = start({ PORT: String(port) }, nodeStart);
    expect(await run.ended).toBe(1);
    expect(run.output()).toBe(
      `Port ${port} on 127.0.0.1 is in use. Set PORT to a free one, for example: PORT=${port + 1} npm start\n`,
    );
    server.close();
  });

  test('if the data directory cannot be created', async () => {
    const file = join(dataDir, '..', 'file');
    writeFileSync(file, '');
    const run = start({ DATA_DIR: join(file, 'data') }, nodeStart);
    expect(await run.ended).toBe(1);
    expect(run.output()).toMatch(/^DATA_DIR .* cannot be written \(a part of its path is a file.*\n$/);
  });

  test('with all invalid settings in one list, before it starts anything', async () => {
    const other = join(dataDir, '..', 'invalid');
    const run = start(
      { DATA_DIR: other, PORT: 'http', DATABASE_URL: 'localhost', IMPORT_LANES: 'many' },
      nodeStart,
    );
    expect(await run.ended).toBe(1);
    expect(run.output()).toMatch(
      /^Invalid settings:\n {2}PORT: .*\n {2}DATABASE_URL: .*\n {2}IMPORT_LANES: .*\n$/,
    );
    expect(existsSync(other)).toBe(false);
  });
});

async function readyz({ address }: Access): Promise<number> {
  return fetch(`${address}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );
}
