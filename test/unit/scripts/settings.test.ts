import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { databaseMemoryMb, machineMemoryMb } from '../../../scripts/private-servers/memory.js';
import { defaultProcesses } from '../../../scripts/start/processes.js';
import { readStartSettings } from '../../../scripts/start/settings.js';

test('neither the metrics of the API nor those of the worker, on the port after, can have the port of the API', () => {
  const one = { API_PROCESSES: '1', WORKER_PROCESSES: '1' };
  for (const METRICS_PORT of ['3000', '2999']) {
    expect(() => readStartSettings({ ...one, PORT: '3000', METRICS_PORT })).toThrow(/METRICS_PORT: .*PORT/);
  }
  expect(readStartSettings({ PORT: '3000', METRICS_PORT: '3001' }).metricsPort).toBe(3001);
  expect(readStartSettings({ PORT: '0', METRICS_PORT: '0' }).metricsPort).toBe(0);
  expect(readStartSettings({ METRICS_PORT: '' }).metricsPort).toBeNull();
});

test('a private database gets a quarter of the memory, between 128 and 4,096 MB, unless DB_MEMORY_MB says otherwise', () => {
  expect([256, 2_000, 8_192, 262_144].map(databaseMemoryMb)).toEqual([128, 500, 2_048, 4_096]);
  expect(readStartSettings({}).databaseMemoryMb).toBe(databaseMemoryMb());
  expect(readStartSettings({ DB_MEMORY_MB: '' }).databaseMemoryMb).toBe(databaseMemoryMb());
  expect(readStartSettings({ DB_MEMORY_MB: '300' }).databaseMemoryMb).toBe(300);
});

test('the memory of the machine is at most the limit of its container', () => {
  const physical = Math.floor(totalmem() / 2 ** 20);
  expect([0, 2 ** 64, 100 * 2 ** 20].map(machineMemoryMb)).toEqual([physical, physical, 100]);
});

test.each(['much', '0', '127', '512.5', '2G', '1048577'])('DB_MEMORY_MB=%s is an error', (DB_MEMORY_MB) => {
  expect(() => readStartSettings({ DB_MEMORY_MB })).toThrow(
    /DB_MEMORY_MB: must be an integer from 128 to 1048576$/,
  );
});

test('DB_MEMORY_MB beyond the memory of the machine is an error', () => {
  const DB_MEMORY_MB = String(machineMemoryMb());
  expect(() => readStartSettings({ DB_MEMORY_MB })).toThrow(
    `DB_MEMORY_MB: must be less than the memory of this machine, which is ${DB_MEMORY_MB} MB`,
  );
});

test('the processes suit the machine: one of each for two cores and GB, but at most 4', () => {
  expect([1, 2, 3, 4, 8, 64].map((cores) => defaultProcesses(cores, 65_536))).toEqual([1, 1, 1, 2, 4, 4]);
  expect([512, 2_048, 3_500].map((memoryMb) => defaultProcesses(16, memoryMb))).toEqual([1, 2, 3]);
  expect(readStartSettings({}).processes).toEqual({ api: defaultProcesses(), worker: defaultProcesses() });
  expect(readStartSettings({ API_PROCESSES: '3', WORKER_PROCESSES: '1' }).processes).toEqual({
    api: 3,
    worker: 1,
  });
  expect(errorsOf({ API_PROCESSES: '0', WORKER_PROCESSES: '33' })).toEqual([
    'API_PROCESSES',
    'WORKER_PROCESSES',
  ]);
});

test('each process has a port for its metrics, and none of them is the port of the API', () => {
  const processes = { API_PROCESSES: '2', WORKER_PROCESSES: '3' };
  for (const METRICS_PORT of ['2996', '3000']) {
    expect(errorsOf({ ...processes, PORT: '3000', METRICS_PORT })).toEqual(['METRICS_PORT']);
  }
  for (const METRICS_PORT of ['2995', '3001', '0', '65531']) {
    expect(errorsOf({ ...processes, PORT: '3000', METRICS_PORT })).toEqual([]);
  }
  expect(errorsOf({ ...processes, METRICS_PORT: '65532' })).toEqual(['METRICS_PORT']);
});

test('reports every invalid setting of npm start, the API and the worker in one list, each once', () => {
  const env = {
    PORT: 'http',
    DATABASE_URL: 'localhost',
    REDIS_URL: 'redis://a,nonsense',
    PUBLIC_URL: 'http://muster.example.com',
    STORAGE_URL: 'ftp://files',
    LOG_LEVEL: 'loud',
    SECRET_KEY: 'short',
    INTAKE_BUFFER_BYTES: '1048576',
    IMPORT_LANES: '0',
    EVENT_RETENTION_DAYS: 'ever',
    DB_MEMORY_MB: 'much',
  };
  expect(errorsOf(env)).toEqual(Object.keys(env).sort());
});

test.each([
  ['mysql://muster:50%@localhost/muster', 'DATABASE_URL'],
  ['mysql://muster:x@a:3306,b:x/muster', 'DATABASE_URL'],
  ['mysql://muster:x@a,,b/muster', 'DATABASE_URL'],
  ['mysql://muster:x@a,a:3306/muster', 'DATABASE_URL'],
  ['mysql://muster:x@a,b/muster?socketPath=/run/db.sock', 'DATABASE_URL'],
  ['postgres://muster:x@a,b/muster', 'DATABASE_URL'],
  [`mysql://muster:x@${Array.from({ length: 17 }, (_, i) => `db-${i}`)}/muster`, 'DATABASE_URL'],
  ['mysql://muster:x@a,b/muster', 'DATABASE_READ_URL'],
  ['redis://', 'REDIS_URL'],
  ['redis+sentinel://a:b:c/mymaster', 'REDIS_URL'],
  ['redis+sentinel://muster:50%@a/mymaster', 'REDIS_URL'],
  ['redis+sentinel://a/mymaster/2', 'REDIS_URL'],
  ['redis+sentinel://a/mymaster#x', 'REDIS_URL'],
  ['redis+sentinel://a/mymaster?sentinelPasswort=x', 'REDIS_URL'],
  ['redis+sentinel://a/mymaster?sentinelPassword=%zz', 'REDIS_URL'],
  ['redis+sentinel://a,muster:x@b/mymaster', 'REDIS_URL'],
  ['redis://a:1,unix://b', 'REDIS_URL'],
  ['file://elsewhere/files', 'STORAGE_URL'],
])('an address that a client would reject is an error: %s', (address, name) => {
  expect(errorsOf({ [name]: address })).toEqual([name]);
});

test.each([
  'mysql://a:b@localhost/c',
  'mysql://a:b@db-1,db-2:3307,[::1]:3306/c?tls=true',
  'mysql:///c?socketPath=/run/db.sock',
])('a database address with one host or several is accepted: %s', (DATABASE_URL) =>
  expect(errorsOf({ DATABASE_URL })).toEqual([]),
);

test('a stored secret key that the API would reject is an error, and the message names its file', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'muster-settings-'));
  const file = join(DATA_DIR, 'secret-key');
  writeFileSync(file, 'too short\n');
  try {
    expect(() => readStartSettings({ DATA_DIR })).toThrow(`(it comes from ${file})`);
    expect(() => readStartSettings({ DATA_DIR, SECRET_KEY: randomBytes(32).toString('hex') })).not.toThrow();
  } finally {
    rmSync(DATA_DIR, { recursive: true });
  }
});

test('accepts every form of an address', () => {
  for (const REDIS_URL of [
    'redis://localhost',
    'rediss://:secret@a:6380/2',
    'unix:///run/redis.sock',
    'redis://a:1,redis://b:2',
    'redis+sentinel://a:26379,b/mymaster',
    'rediss+sentinel://muster:s%2Ccret@a:26379,[::1]:26379/name?sentinelUser=&sentinelPassword=',
  ]) {
    expect(readStartSettings({ REDIS_URL }).redisUrl).toBe(REDIS_URL);
  }
});

/** The names of the settings that are reported, in alphabetical order. */
function errorsOf(env: Record<string, string>): string[] {
  try {
    readStartSettings(env);
    return [];
  } catch (error) {
    const [heading, ...lines] = (error as Error).message.split('\n');
    expect(heading).toBe('Invalid settings:');
    return lines.map((line) => /^ {2}(\w+): \S/.exec(line)?.[1] ?? line).sort();
  }
}
