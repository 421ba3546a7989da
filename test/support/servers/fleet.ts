import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateKeyText } from '../../../db/access/api-keys.js';
import { connectDatabase } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { privateServerLauncher } from '../../../scripts/private-servers/index.js';
import { freePort } from '../../../scripts/processes/free-port.js';
import { Client } from '../api/client.js';
import { until } from '../until.js';
import { copyMigratedData, REDO_LOG_MB } from './migrated-data.js';
import { end, nodeArguments, START_WITHIN_MS } from './processes.js';

export type Fleet = Awaited<ReturnType<typeof startFleet>>;

export type ServerName = 'mariadb' | 'redis';

interface FleetOptions {
  apis?: number;
  workers?: number;
  maxMemoryMb?: number;
  env?: Record<string, string>;
  /** Starts on the data of a backup. */
  restore?: Restore;
  /** The folder of an earlier release, built, that runs until `upgrade`. Default: this one. */
  release?: string;
}

/** Restores a backup. */
export interface Restore {
  /** Writes files into the folder of the fleet, before the servers start. */
  files(dir: string): void;
  /** Fills the empty database of that address. */
  database(url: string): Promise<void>;
}

/**
 * Starts separate durable servers on a real disk, and the built API and workers as processes. Any of them can be killed and
 * started again on the same data.
 */
export async function startFleet({
  apis = 1,
  workers = 1,
  maxMemoryMb = 512,
  env = {},
  restore,
  release = '.',
}: FleetOptions = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'muster-fleet-'));
  mkdirSync(join(dir, 'data'));
  restore?.files(dir);
  if (!restore && release === '.') await copyMigratedData(dir);
  const launch = privateServerLauncher({ dir, durable: true, redoLogMb: REDO_LOG_MB, maxMemoryMb });
  const servers = { mariadb: await launch.mariadb(), redis: await launch.redis() };
  await restore?.database(servers.mariadb.urls.root);
  const database = connectDatabase(servers.mariadb.urls.root);
  const key = env.BOOTSTRAP_API_KEY ?? generateKeyText();
  const shared = {
    ...process.env,
    NODE_OPTIONS: '',
    DATABASE_URL: servers.mariadb.urls.root,
    REDIS_URL: servers.redis.url,
    DATA_DIR: join(dir, 'data'),
    SECRET_KEY: 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz',
    BOOTSTRAP_API_KEY: key,
    MUSTER_SUPERVISED: '1',
    LOG_LEVEL: 'warn',
    ...env,
  };
  let current = release;
  const migrateTo = async (folder: string) => {
    const child = spawn(process.execPath, [join(folder, 'dist/scripts/migrate.js')], {
      env: shared,
      stdio: 'ignore',
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`the migrations of ${folder} ended with ${code}`);
    current = folder;
  };
  if (release === '.') await migrate(database);
  else await migrateTo(release);
  const running = new Set<ChildProcess>();
  const run = (main: 'api' | 'workers', more: Record<string, string> = {}): ChildProcess => {
    const child = spawn(process.execPath, nodeArguments(main, current), {
      env: { ...shared, ...more },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    return child;
  };
  const responds = async (url: string, path: string) =>
    (await fetch(url + path, { signal: AbortSignal.timeout(2_000) }).catch(() => null))?.status === 200;
  const startApi = async (port?: number, more?: Record<string, string>) => {
    const own = port ?? (await freePort());
    const url = `http://127.0.0.1:${own}`;
    const child = run('api', { ...more, PORT: String(own) });
    await until(`the API at ${url} responds`, () => responds(url, '/healthz'), START_WITHIN_MS);
    return { child, url, port: own, client: new Client(url, key) };
  };
  const fleet = {
    dir,
    servers,
    database,
    apis: await Promise.all(Array.from({ length: apis }, () => startApi())),
    workers: Array.from({ length: workers }, () => run('workers')),
    startApi,
    startWorker: (more?: Record<string, string>) => run('workers', more),
    /** Waits until all APIs are ready, which they are once a worker runs. */
    async untilReady() {
      for (const { url } of fleet.apis)
        await until(`${url} is ready`, () => responds(url, '/readyz'), START_WITHIN_MS);
    },
    /** Runs the migrations of this release. What is started from then on is of this release. */
    upgrade: () => migrateTo('.'),
    /** Ends a server. `startServer` starts it again on its data. */
    async endServer(name: ServerName, signal: NodeJS.Signals = 'SIGKILL') {
      process.kill(servers[name].pid, signal);
      await servers[name].exited;
    },
    async startServer(name: ServerName) {
      if (name === 'mariadb') servers.mariadb = await launch.mariadb();
      else servers.redis = await launch.redis();
    },
    /** Kills a server with -9 and starts it again after the given number of milliseconds, or once a promise resolves. */
    async restart(name: ServerName, outage: number | Promise<void> = 0) {
      await fleet.endServer(name);
      await (typeof outage === 'number' ? new Promise((resolve) => setTimeout(resolve, outage)) : outage);
      await fleet.startServer(name);
    },
    async stop() {
      await Promise.all([...running].map((child) => end(child, 'SIGKILL')));
      await database.destroy();
      // Their data is removed: an orderly end would only take time.
      await Promise.all([servers.redis.stop(0), servers.mariadb.stop(0)]);
      rmSync(dir, { recursive: true, force: true });
    },
  };
  if (workers > 0) await fleet.untilReady();
  return fleet;
}
