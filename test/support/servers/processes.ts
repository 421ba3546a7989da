import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyText } from '../../../db/access/api-keys.js';
import { freePort } from '../../../scripts/processes/free-port.js';
import { nodeOptions } from '../../../scripts/processes/node-options.js';
import { Client } from '../api/client.js';
import { until } from '../until.js';
import { createTestDatabase } from './database.js';

/** Starting an API and a worker can take more than 30 s on two cores with a load of 25. */
export const START_WITHIN_MS = 90_000;

export type Processes = Awaited<ReturnType<typeof startProcesses>>;

interface ProcessesOptions {
  env?: Record<string, string>;
  workers?: number;
  /** How many file descriptors a process may have; by default as many as the test's process. */
  descriptors?: number;
  /** Default: the servers of the run. */
  servers?: { databaseUrl: string; redisUrl: string };
  /** Returns the address of the replica of a database. Default: no replica. */
  readUrl?: (databaseName: string) => string;
  /** Where the processes log; by default nobody reads it. */
  logFile?: string;
}

/** Starts the built API and workers as separate processes on a separate database. `npm test` builds them first. */
export async function startProcesses({
  env = {},
  workers = 1,
  descriptors,
  servers,
  readUrl,
  logFile,
}: ProcessesOptions = {}) {
  const testDatabase = await createTestDatabase(servers?.databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'muster-processes-'));
  const port = await freePort();
  const key = generateKeyText();
  const allEnv = {
    ...process.env,
    NODE_OPTIONS: '',
    DATABASE_URL: testDatabase.url,
    REDIS_URL: servers?.redisUrl ?? (process.env.TEST_REDIS_URL as string),
    REDIS_PREFIX: `{${testDatabase.name.replaceAll('_', '-')}}`,
    DATA_DIR: folder,
    SECRET_KEY: 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz',
    PORT: String(port),
    BOOTSTRAP_API_KEY: key,
    MUSTER_SUPERVISED: '1',
    ...(readUrl && { DATABASE_READ_URL: readUrl(testDatabase.name) }),
    ...env,
  };
  const running = new Set<ChildProcess>();
  const start = (main: 'api' | 'workers', more: Record<string, string> = {}): ChildProcess => {
    // The pipe to stdin ends the process if the test run is killed.
    const log = logFile === undefined ? null : openSync(logFile, 'a');
    const limit = descriptors === undefined ? ':' : `ulimit -n ${descriptors}`;
    const command = ['-c', `${limit} && exec "$0" "$@"`, process.execPath, ...nodeArguments(main)];
    const child = spawn('sh', command, {
      env: { ...allEnv, ...more },
      stdio: ['pipe', log ?? 'pipe', log ?? 'inherit'],
    });
    if (log !== null) closeSync(log);
    child.stdout?.resume();
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  const api = start('api');
  const crew = Array.from({ length: workers }, () => start('workers'));
  const url = `http://127.0.0.1:${port}`;
  // It is ready for everything once a worker runs.
  const ready = workers > 0 ? '/readyz' : '/readyz/intake';
  await until(
    'the API is ready',
    async () => (await fetch(url + ready).catch(() => null))?.status === 200,
    START_WITHIN_MS,
  );
  return {
    url,
    port,
    folder,
    api,
    workers: crew,
    start,
    key,
    client: new Client(url, key),
    database: testDatabase.database,
    stop: async () => {
      await Promise.all([...running].map((child) => end(child, 'SIGKILL')));
      await testDatabase.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the arguments with which Node runs a program as `npm start` does. */
export const nodeArguments = (main: 'api' | 'workers', folder = '.'): string[] => [
  ...nodeOptions[main === 'api' ? 'api' : 'worker'],
  join(folder, `dist/${main}/main.js`),
];

/** Sends a process a signal and waits until it exits. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
