import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { runDoctor } from '../../scripts/doctor/run.js';
import { connectProducer } from '../../workers/queues/connection.js';
import { NotReplicated, Replication } from '../../workers/queues/replication.js';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../support/api/webhooks.js';
import { Fault } from '../support/faults/fault.js';
import { type ClusterNode, startCluster } from '../support/servers/cluster.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const PREFIX = '{cluster}';
const CSV = 'email,integrationId,identity\nada@example.com,1,ada\n';

let cluster: Awaited<ReturnType<typeof startCluster>>;
/** The master and the replica with the keys of everything except the shards of the intake. */
let home: { master: ClusterNode; replica: ClusterNode };
/** Another part of the cluster. It has only shards. */
let other: typeof home;
let processes: Processes;
let path: string;
beforeAll(async () => {
  cluster = await startCluster();
  const [first, second] = [0, 1].map((further) => {
    const part = (cluster.partOf(PREFIX) + further) % cluster.masters.length;
    return { master: cluster.masters[part], replica: cluster.replicas[part] } as typeof home;
  });
  [home, other] = [first as typeof home, second as typeof home];
  const env = { REDIS_URL: cluster.url, REDIS_PREFIX: PREFIX, LOG_LEVEL: 'error' };
  processes = await startProcesses({ env });
  path = (await makeWebhook(processes.client)).path;
});
afterAll(async () => {
  await processes?.stop();
  await cluster?.stop();
});

/**
 * Limits the memory of a node to a little more than it uses now, so that events must be rejected. A large value goes into it
 * first: the buffers of clients come and go, and are a few percent of the memory of an almost empty node.
 */
async function limitMemory(node: Redis): Promise<void> {
  await fill(node);
  const [, used] = /^used_memory:(\d+)/m.exec(await node.info('memory')) ?? [];
  await node.config('SET', 'maxmemory', Math.ceil(Number(used) * 1.1));
}

/** Stores 32 MiB on a node, under the first key that belongs there. */
async function fill(node: Redis): Promise<void> {
  for (let i = 0; ; i += 1) {
    try {
      await node.setrange(`filling-${i}`, 32 * 2 ** 20, 'x');
      return;
    } catch (error) {
      if (!String(error).includes('MOVED')) throw error;
    }
  }
}

/** Sends an event. Returns its code if it was rejected, and `accepted` otherwise. */
const outcomeOfEvent = async (): Promise<string> => {
  const { code = 'accepted' } = (await (await sendEvent(processes.url, path, ALERT)).json()) as {
    code?: string;
  };
  return code;
};

/** Returns the outcomes of events over a second, in which the API reads the memory several times. */
async function outcomesOfEvents(fault: Fault): Promise<Set<string>> {
  const outcomes = new Set<string>();
  for (let i = 0; i < 4; i++) {
    await sleep(250);
    outcomes.add(await fault.response(outcomeOfEvent()));
  }
  return outcomes;
}

/** Waits until a check of readiness has that status, and whether replicas confirm: a busy one may confirm too late once. */
const untilReadiness = (path: string, status: number, replicas: boolean) =>
  until(`${path} responds with ${status}`, async () => {
    const response = await fetch(processes.url + path);
    const body = (await response.json()) as { replicas: boolean };
    return response.status === status && body.replicas === replicas;
  });

test('events in the shards of every master, and an upload, are stored', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 60; i += 1) {
    const sent = await sendEvent(processes.url, path, ALERT);
    expect(sent.status).toBe(202);
    ids.push(((await sent.json()) as { eventId: string }).eventId);
  }
  for (const id of ids) expect(await receiptOf(processes.client, id)).toMatchObject({ state: 'normalized' });
  const shards = await Promise.all(cluster.masters.map(({ redis }) => redis.keys('*:alert-intake*:meta')));
  for (const keys of shards) expect(keys.length).toBeGreaterThanOrEqual(5);
  const upload = await processes.client.upload(CSV);
  expect([upload.status, upload.body.counts?.created]).toEqual([200, 1]);
});

test('the fullest master limits events', async () => {
  const fault = new Fault('full memory of one master of a Cluster');
  const { redis } = other.master;
  await limitMemory(redis);
  await until('events are rejected', async () => (await outcomeOfEvent()) === 'overloaded');
  expect([...(await outcomesOfEvents(fault))]).toEqual(['overloaded']);
  await redis.config('SET', 'maxmemory', 0);
  const isAccepted = async () => (await outcomeOfEvent()) === 'accepted';
  await fault.recovery(() => until('events are accepted again', isAccepted));
  fault.report();
});

test('while a replica does not respond, only events for the shards of its master are rejected, and the API stays ready', async () => {
  const fault = new Fault('SIGSTOP of replicas of a Cluster');
  other.replica.child.kill('SIGSTOP');
  const outcomes = new Map<string, Response>();
  await until('some events are rejected, and others are accepted', async () => {
    const response = await fault.response(sendEvent(processes.url, path, ALERT));
    outcomes.set(String(response.status), response);
    return outcomes.size === 2;
  });
  // Jobs and most events are still accepted.
  await untilReadiness('/readyz', 200, true);
  await untilReadiness('/readyz/intake', 200, true);
  home.replica.child.kill('SIGSTOP');
  await untilReadiness('/readyz', 503, false);
  await untilReadiness('/readyz/intake', 200, true);
  for (const { child } of cluster.replicas) child.kill('SIGSTOP');
  await untilReadiness('/readyz/intake', 503, false);
  for (const { child } of cluster.replicas) child.kill('SIGCONT');
  await fault.recovery(() => untilReadiness('/readyz', 200, true));
  fault.report();
  expect([...outcomes.keys()].sort()).toEqual(['202', '503']);
  const rejected = outcomes.get('503') as Response;
  expect(rejected.headers.get('retry-after')).not.toBeNull();
  expect(await rejected.json()).toMatchObject({ code: 'unavailable' });
  for (let accepted = 0; accepted < 20; )
    accepted = (await outcomeOfEvent()) === 'accepted' ? accepted + 1 : 0;
});

test('npm run doctor names the masters with keys, and warns that a failover would leave too few replicas', async () => {
  let out = '';
  const sink = {
    write: (text: string) => {
      out += text;
    },
  };
  const env = {
    DATABASE_URL: 'mysql://nobody@127.0.0.1:9/muster',
    REDIS_URL: cluster.url,
    REDIS_PREFIX: PREFIX,
    SECRET_KEY: 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz',
  };
  await runDoctor([], { env, out: sink, err: sink });
  const [, keysOn] = /^ok +redis +.*, Cluster of .*, keys on (.*)$/m.exec(out) ?? [];
  expect(keysOn?.split(', ').sort()).toEqual(cluster.masters.map(({ port }) => `127.0.0.1:${port}`).sort());
  expect(out).toMatch(
    /^WARNING +redis-wait-replicas +REDIS_WAIT_REPLICAS is 1, .* has 1 replica\. Start one more: /m,
  );
  expect(out).toMatch(/^ok +workers +1 worker reported/m);
});

test('a write is not confirmed on another connection, on which WAIT would count replicas without it', async () => {
  const connection = connectProducer(`redis://127.0.0.1:${home.master.port}`) as Redis;
  connection.on('error', () => {});
  await once(connection, 'ready');
  const replication = new Replication(connection, PREFIX, { replicas: 1, log: pino({ level: 'silent' }) });
  expect(await replication.confirm(() => connection.set(`${PREFIX}:written`, 1))).toBe('OK');
  const replaced = replication.confirm(async () => {
    connection.disconnect(true);
    await once(connection, 'ready');
  });
  await expect(replaced).rejects.toThrow(NotReplicated);
  await expect(replaced).rejects.toThrow('the connection to Redis changed');
  connection.disconnect();
});
