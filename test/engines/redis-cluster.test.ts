import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromUuidBinary } from '../../db/bulk/uuid-binary.js';
import { cpuSeconds } from '../../scripts/bench/process-cost.js';
import type { QueueDepth } from '../../workers/queues/depth.js';
import { ALERT, makeWebhook, type TestWebhook } from '../support/api/webhooks.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { type ClusterNode, startCluster } from '../support/servers/cluster.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const SENDERS = 8;
const FAILOVERS = 10;

describeEngine('Redis Cluster, 3 masters', null, () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  let processes: Processes;
  let webhook: TestWebhook;
  beforeAll(async () => {
    cluster = await startCluster({ settings: { appendonly: 'yes', appendfsync: 'everysec' } });
    processes = await startProcesses({ env: { REDIS_URL: cluster.url, LOG_LEVEL: 'error' } });
    webhook = await makeWebhook(processes.client);
  });
  afterAll(async () => {
    await processes?.stop();
    await cluster?.stop();
  });

  /** Sends events until `stop` resolves. Returns the ids of those that were acknowledged. */
  async function burst(stop: Promise<unknown>): Promise<string[]> {
    const acknowledged: string[] = [];
    let isOver = false;
    stop.finally(() => {
      isOver = true;
    });
    const send = async () => {
      while (!isOver) {
        const response = await fetch(processes.url + webhook.path, {
          method: 'POST',
          body: JSON.stringify(ALERT),
        });
        const { eventId } = (await response.json()) as { eventId?: string };
        if (response.status === 202) acknowledged.push(eventId as string);
        else await sleep(20);
      }
    };
    await Promise.all([...Array.from({ length: SENDERS }, send), stop]);
    return acknowledged;
  }

  /** Returns how many events are not stored, although nothing waits in a queue any more. */
  async function missing(acknowledged: readonly string[]): Promise<number> {
    const isIdle = async () => {
      const { body } = await processes.client.get('/v2/health');
      const queues: QueueDepth[] | undefined = body.data?.queues;
      // Upkeep always has its next turn.
      return !!queues?.every(
        ({ queue, waiting, active, delayed }) => queue === 'upkeep' || waiting + active + delayed === 0,
      );
    };
    await until('all queues are empty', isIdle, 60_000);
    const rows: { id: Buffer }[] = await processes.database('events').select('id');
    const stored = new Set(rows.map(({ id }) => fromUuidBinary(id)));
    return acknowledged.filter((id) => !stored.has(id)).length;
  }

  const isMaster = async ({ redis }: ClusterNode): Promise<boolean> =>
    (await redis.info('replication')).includes('role:master');

  test('every master has shards, and does a part of the work', async () => {
    const cpu = () => cluster.masters.map(({ child }) => cpuSeconds(child.pid as number));
    const before = cpu();
    const acknowledged = await burst(sleep(10_000));
    const spent = cpu().map((seconds, i) => seconds - (before[i] as number));
    expect(await missing(acknowledged)).toBe(0);
    for (const { redis } of cluster.masters)
      expect((await redis.keys('*:alert-intake*:meta')).length).toBeGreaterThanOrEqual(5);
    const total = spent.reduce((sum, seconds) => sum + seconds, 0);
    for (const seconds of spent) expect(seconds / total).toBeGreaterThan(0.15);
  });

  test(`${FAILOVERS} masters are killed, every third while no events come: none is lost, and every queue goes on`, async () => {
    let acknowledged: string[] = [];
    for (let round = 0; round < FAILOVERS; round += 1) {
      const part = [cluster.masters[round % 3], cluster.replicas[round % 3]] as ClusterNode[];
      const [victim, heir] = (await isMaster(part[0] as ClusterNode)) ? part : part.reverse();
      if (!victim || !heir) throw new Error('no master');
      const failover = async () => {
        await sleep(500);
        await end(victim.child, 'SIGKILL');
        await until('its replica is promoted', () => isMaster(heir));
        victim.start();
        await until('it is a replica', async () =>
          (await victim.redis.info('replication')).includes('master_link_status:up'),
        );
      };
      if (round % 3 === 2) await failover();
      else acknowledged = acknowledged.concat(await burst(failover()));
      acknowledged = acknowledged.concat(await burst(sleep(1_000)));
      expect([round, await missing(acknowledged)]).toEqual([round, 0]);
    }
    expect(acknowledged.length).toBeGreaterThan(1_000);
    expect(processes.workers.map(({ exitCode }) => exitCode)).toEqual([null]);
  });
});
