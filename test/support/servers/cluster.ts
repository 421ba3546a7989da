import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findServers } from '../../../scripts/private-servers/find.js';
import { until } from '../until.js';
import { end, freePort } from './processes.js';

const SLOTS = 16_384;

interface Node {
  child: ChildProcess;
  port: number;
  busPort: number;
  redis: Redis;
}

/**
 * Starts a Redis Cluster on loopback: three masters with a third of the slots each. The owner of the prefix's slot is the
 * only one that has a replica.
 */
export async function startCluster(prefix: string) {
  const dir = mkdtempSync(join(tmpdir(), 'muster-cluster-'));
  const program = join(dir, 'redis-server');
  symlinkSync(findServers().redis as string, program);
  const launch = async (): Promise<Node> => {
    const [port, busPort] = [await freePort(), await freePort()];
    const folder = join(dir, String(port));
    mkdirSync(folder);
    const settings = {
      port,
      bind: '127.0.0.1',
      dir: folder,
      'cluster-enabled': 'yes',
      'cluster-port': busPort,
      'cluster-node-timeout': 2_000,
      'maxmemory-policy': 'noeviction',
      save: '',
      // A replica copies its master at once instead of after 5 s.
      'repl-diskless-sync-delay': 0,
    };
    const options = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn(program, options, { stdio: 'ignore' });
    const redis = new Redis({ port, maxRetriesPerRequest: null, retryStrategy: () => 50 });
    redis.on('error', () => {});
    return { child, port, busPort, redis };
  };
  const masters = [await launch(), await launch(), await launch()];
  const replica = await launch();
  const nodes = [...masters, replica];

  const first = masters[0] as Node;
  await Promise.all(
    masters.map(({ redis }, i) => {
      const [from, to] = [Math.floor((i * SLOTS) / 3), Math.floor(((i + 1) * SLOTS) / 3) - 1];
      return redis.call('CLUSTER', 'ADDSLOTSRANGE', from, to);
    }),
  );
  for (const { port, busPort } of nodes.slice(1))
    await first.redis.call('CLUSTER', 'MEET', '127.0.0.1', port, busPort);
  const owner = masters[Math.floor(((await first.redis.cluster('KEYSLOT', prefix)) * 3) / SLOTS)] as Node;
  const ownerId = (await owner.redis.call('CLUSTER', 'MYID')) as string;
  await until('the replica knows its master', () =>
    replica.redis.call('CLUSTER', 'REPLICATE', ownerId).then(
      () => true,
      () => false,
    ),
  );
  await until('every node knows that the cluster is complete', async () => {
    const infos = await Promise.all(nodes.map(({ redis }) => redis.call('CLUSTER', 'INFO')));
    return infos.every((info) => /cluster_state:ok[\s\S]*cluster_known_nodes:4/.test(String(info)));
  });
  await until('the replica has copied its master', async () =>
    (await replica.redis.info('replication')).includes('master_link_status:up'),
  );
  return {
    url: masters.map(({ port }) => `redis://127.0.0.1:${port}`).join(','),
    /** The master that has the keys of the prefix. */
    owner: owner.redis,
    /** The other two masters. */
    others: masters.filter((one) => one !== owner).map(({ redis }) => redis),
    replica: replica.child,
    stop: async () => {
      for (const { redis } of nodes) redis.disconnect();
      await Promise.all(nodes.map(({ child }) => end(child, 'SIGKILL')));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
