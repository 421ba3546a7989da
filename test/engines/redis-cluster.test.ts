import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromUuidBinary } from '../../db/bulk/uuid-binary.js';
import { cpuSeconds } from '../../scripts/bench/children.js';
import { freePort } from '../../scripts/processes/free-port.js';
import type { QueueDepth } from '../../workers/queues/depth.js';
import { ALERT, makeWebhook, type TestWebhook } from '../support/api/webhooks.js';
import { describeEngine } from '../support/engines/describe-engine.js';
import { type ClusterNode, startCluster } from '../support/servers/cluster.js';
import { end, type Processes, START_WITHIN_MS, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const SENDERS = 8;
const FAILOVERS = 10;
const CUT_OFF_MS = 9_000;

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

  /** Sends events to an API until `stop` resolves. Returns the ids of those that were acknowledged. */
  async function burst(stop: Promise<unknown>, url = processes.url): Promise<string[]> {
    const acknowledged: string[] = [];
    let isOver = false;
    stop.finally(() => {
      isOver = true;
    });
    const send = async () => {
      while (!isOver) {
        const response = await fetch(url + webhook.path, {
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

  const readiness = async (url: string) => (await fetch(`${url}/readyz`).catch(() => null))?.status;

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

  test('a master that is killed after its replica was cut off loses nothing that was acknowledged; with REDIS_WAIT_REPLICAS=0 it does', async () => {
    const port = await freePort();
    processes.start('api', { PORT: String(port), REDIS_WAIT_REPLICAS: '0' });
    const unsafeUrl = `http://127.0.0.1:${port}`;
    const isReady = async () => (await readiness(unsafeUrl)) === 200;
    await until('the other API is ready', isReady, START_WITHIN_MS);
    // What is acknowledged stays in Redis until the failover.
    await Promise.all(processes.workers.map((worker) => end(worker)));
    const pair = [cluster.masters[0], cluster.replicas[0]] as [ClusterNode, ClusterNode];
    const [victim, heir] = (await isMaster(pair[0])) ? pair : [pair[1], pair[0]];
    await heir.redis.config('SET', 'masterauth', 'wrong');
    await victim.redis.call('CLIENT', 'KILL', 'TYPE', 'replica');
    const cutOff = sleep(CUT_OFF_MS);
    const [safe, unsafe] = await Promise.all([burst(cutOff), burst(cutOff, unsafeUrl)]);
    await end(victim.child, 'SIGKILL');
    await until('its replica is promoted', () => isMaster(heir));
    processes.start('workers');
    const lost = { safe: await missing(safe), unsafe: await missing(unsafe) };
    console.log(
      `of the acknowledged events, ${lost.safe} of ${safe.length} were lost with REDIS_WAIT_REPLICAS=1, ` +
        `${lost.unsafe} of ${unsafe.length} with 0; the replica of one of three masters was cut off for ${CUT_OFF_MS / 1_000} s`,
    );
    expect(safe.length).toBeGreaterThan(0);
    expect(lost.safe).toBe(0);
    expect(lost.unsafe).toBeGreaterThan(0);
  });
});
