import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findServers } from '../../../scripts/private-servers/find.js';
import { freePort } from '../../../scripts/processes/free-port.js';
import { SLOTS, slotOf } from '../../../workers/queues/shards/intake-shards.js';
import { type Host, loopback } from '../hosts/network.js';
import { until } from '../until.js';
import { end } from './processes.js';

const MASTERS = 3;

export interface ClusterNode {
  child: ChildProcess;
  address: string;
  port: number;
  busPort: number;
  /** Starts the server, also again after it was killed: it then has the same port, folder and place in the cluster. */
  start(): void;
  redis: Redis;
}

interface ClusterOptions {
  /** Settings of each server. */
  settings?: Record<string, string | number>;
  /** Where the masters and then the replicas run. */
  hosts?: readonly Host[];
}

const ON_LOOPBACK = Array.from({ length: 2 * MASTERS }, () => loopback);

/** Starts a Redis Cluster: three masters with a third of the slots each, and a replica of each. */
export async function startCluster({ settings, hosts = ON_LOOPBACK }: ClusterOptions = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'muster-cluster-'));
  const nodes = await Promise.all(hosts.map((host) => launchNode(dir, settings, host)));
  const [masters, replicas] = [nodes.slice(0, MASTERS), nodes.slice(MASTERS)];
  await formCluster(masters, replicas);
  return {
    url: masters.map(({ address, port }) => `redis://${address}:${port}`).join(','),
    nodes,
    /** Returns the index of the third of the slots that has this key. Its first master is `masters[index]`. */
    partOf: (key: string): number => Math.floor((slotOf(key) * MASTERS) / SLOTS),
    masters,
    replicas,
    stop: async () => {
      for (const { redis } of nodes) redis.disconnect();
      await Promise.all(nodes.map(({ child }) => end(child, 'SIGKILL')));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Starts one server in cluster mode, in a folder of its own. It has no slots and knows no others. */
export async function launchNode(
  dir: string,
  more: Record<string, string | number> = {},
  { address, within } = loopback,
): Promise<ClusterNode> {
  const [port, busPort] = [await freePort(), await freePort()];
  const folder = join(dir, String(port));
  mkdirSync(folder);
  const program = join(folder, 'redis-server');
  symlinkSync(findServers().redis as string, program);
  const settings = {
    port,
    bind: address,
    // Only the test can reach the addresses of its hosts.
    'protected-mode': 'no',
    dir: folder,
    'cluster-enabled': 'yes',
    'cluster-port': busPort,
    'cluster-node-timeout': 2_000,
    'maxmemory-policy': 'noeviction',
    save: '',
    // A replica copies its master at once instead of after 5 s.
    'repl-diskless-sync-delay': 0,
    ...more,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const [command, ...args] = [...within, program, ...options] as [string, ...string[]];
  const start = () => spawn(command, args, { stdio: 'ignore' });
  const redis = new Redis({ host: address, port, maxRetriesPerRequest: null, retryStrategy: () => 50 });
  redis.on('error', () => {});
  const node: ClusterNode = {
    child: start(),
    address,
    port,
    busPort,
    redis,
    start: () => {
      node.child = start();
    },
  };
  return node;
}

/** Makes servers a cluster. Resolves when all of them know it, and each replica has copied its master. */
async function formCluster(masters: readonly ClusterNode[], replicas: readonly ClusterNode[]): Promise<void> {
  const nodes = [...masters, ...replicas];
  const first = masters[0] as ClusterNode;
  await Promise.all(
    masters.map(({ redis }, i) => {
      const [from, to] = [i, i + 1].map((part) => Math.ceil((part * SLOTS) / MASTERS));
      return redis.call('CLUSTER', 'ADDSLOTSRANGE', String(from), String((to as number) - 1));
    }),
  );
  // Two nodes with the same epoch would settle that later, and a replica could not be promoted meanwhile.
  for (const [i, { redis }] of masters.entries()) await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1);
  for (const { address, port, busPort } of nodes.slice(1))
    await first.redis.call('CLUSTER', 'MEET', address, port, busPort);
  for (const [i, { redis }] of replicas.entries()) {
    const masterId = (await masters[i]?.redis.call('CLUSTER', 'MYID')) as string;
    await until('the replica knows its master', () =>
      redis.call('CLUSTER', 'REPLICATE', masterId).then(
        () => true,
        () => false,
      ),
    );
  }
  await until('every node knows that the cluster is complete', async () => {
    const infos = await Promise.all(nodes.map(({ redis }) => redis.call('CLUSTER', 'INFO')));
    return infos.every((info) => /cluster_state:ok[\s\S]*cluster_known_nodes:6/.test(String(info)));
  });
  await until('the replicas have copied their masters', async () => {
    const infos = await Promise.all(replicas.map(({ redis }) => redis.info('replication')));
    return infos.every((info) => info.includes('master_link_status:up'));
  });
}
