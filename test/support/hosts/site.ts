import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { generateKeyText } from '../../../db/access/api-keys.js';
import { connectDatabase } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { Client } from '../api/client.js';
import { scratchParent } from '../scratch.js';
import { startCluster } from '../servers/cluster.js';
import { startGalera } from '../servers/galera.js';
import { end } from '../servers/processes.js';
import { until } from '../until.js';
import { Network, type NetworkHost } from './network.js';

const API_PORT = 3_000;
const STORE_PORT = 9_000;

export type Site = Awaited<ReturnType<typeof startSite>>;

/**
 * Starts a deployment in which every program has a host of its own: two APIs, three workers, a Galera Cluster of three nodes, a Redis
 * Cluster of three masters with a replica each, and a file store. They share nothing but the network.
 */
export async function startSite() {
  const dir = mkdtempSync(join(scratchParent(), 'muster-site-'));
  const network = new Network();
  const addHosts = (kind: string, count: number) =>
    Array.from({ length: count }, (_, i) => network.addHost(`${kind}-${i + 1}`));
  const hosts = {
    database: addHosts('database', 3),
    redis: addHosts('redis', 6),
    store: network.addHost('store'),
    api: addHosts('api', 2),
    worker: addHosts('worker', 3),
  };
  const programs: ChildProcess[] = [];
  const run = (
    host: NetworkHost,
    args: readonly string[],
    env: Record<string, string> = {},
  ): ChildProcess => {
    const log = openSync(join(dir, `${host.name}.log`), 'a');
    const [command, ...rest] = [...host.within, process.execPath, ...args] as [string, ...string[]];
    const child = spawn(command, rest, {
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      stdio: ['pipe', log, log],
    });
    closeSync(log);
    programs.push(child);
    return child;
  };

  const [galera, cluster] = await Promise.all([
    startGalera(hosts.database),
    startCluster({ hosts: hosts.redis }),
  ]);
  const databases = galera.nodes.map(({ url }) => connectDatabase(url));
  await migrate(databases[0] as (typeof databases)[number]);
  run(hosts.store, [
    '--import',
    'tsx',
    'test/support/hosts/s3-program.ts',
    hosts.store.address,
    String(STORE_PORT),
  ]);

  const key = generateKeyText();
  const databaseHosts = galera.urls.map((url) => new URL(url).host);
  const env = (host: NetworkHost) => {
    const data = join(dir, host.name);
    mkdirSync(data);
    return {
      DATABASE_URL: (galera.urls[0] as string).replace(databaseHosts[0] as string, databaseHosts.join()),
      REDIS_URL: cluster.url,
      STORAGE_URL: `s3://muster/files?endpoint=http://${hosts.store.address}:${STORE_PORT}`,
      AWS_ACCESS_KEY_ID: 'muster-test',
      AWS_SECRET_ACCESS_KEY: 'muster-test',
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      DATA_DIR: data,
      SECRET_KEY: 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz',
      BOOTSTRAP_API_KEY: key,
      HOST: host.address,
      ALLOW_HTTP: '1',
      PORT: String(API_PORT),
      MUSTER_SUPERVISED: '1',
      LOG_LEVEL: 'warn',
    };
  };
  const apis = hosts.api.map((host) => {
    run(host, ['dist/api/main.js'], env(host));
    const url = `http://${host.address}:${API_PORT}`;
    return { url, client: new Client(url, key) };
  });
  for (const host of hosts.worker) run(host, ['dist/workers/main.js'], env(host));
  return {
    hosts,
    apis,
    cluster,
    /** A pool of connections to each node, through its socket. */
    databases,
    /** Returns the node of the database to which most connections of other hosts go. */
    busiestDatabase: async (): Promise<NetworkHost> => {
      const counts = await Promise.all(
        databases.map(async (database) => {
          const [[{ count }]] = await database.raw(
            "SELECT COUNT(*) AS count FROM information_schema.processlist WHERE user = 'muster'",
          );
          return Number(count);
        }),
      );
      return hosts.database[counts.indexOf(Math.max(...counts))] as NetworkHost;
    },
    /** Waits until every API is ready. Returns the seconds that it took. */
    untilReady: async (timeoutMs: number): Promise<number> => {
      const since = performance.now();
      for (const { url } of apis) {
        await until(`the API at ${url} is ready, see ${dir}`, () => isReady(url), timeoutMs);
      }
      return (performance.now() - since) / 1_000;
    },
    stop: async () => {
      await Promise.all(programs.map((child) => end(child, 'SIGKILL')));
      await Promise.all(databases.map((database) => database.destroy()));
      await Promise.all([galera.stop(), cluster.stop()]);
      network.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
  return response?.status === 200;
}
