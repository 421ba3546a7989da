import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Cluster } from 'ioredis';
import { connectWorker } from '../../../workers/queues/connection.js';
import { SLOTS } from '../../../workers/queues/shards/intake-shards.js';
import { scratchParent } from '../../support/scratch.js';
import { type ClusterNode, launchNode } from '../../support/servers/cluster.js';
import { end } from '../../support/servers/processes.js';
import { until } from '../../support/until.js';

const LAST = SLOTS - 1;

let dir: string;
let node: ClusterNode;
beforeAll(async () => {
  dir = mkdtempSync(join(scratchParent(), 'muster-cluster-'));
  // A server alone does not know its address.
  node = await launchNode(dir, { 'cluster-announce-ip': '127.0.0.1' });
  await node.redis.call('CLUSTER', 'ADDSLOTSRANGE', 0, LAST);
});
afterAll(async () => {
  node.redis.disconnect();
  await end(node.child, 'SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

test('a client that connects again while the cluster lacks a slot is ready once it has the slot, and its connect settles', async () => {
  const first = connectWorker(`redis://127.0.0.1:${node.port},redis://127.0.0.1:${node.port}`) as Cluster;
  // What BullMQ does for each queue on which it waits.
  const client = first.duplicate();
  await Promise.all([once(first, 'ready'), once(client, 'ready')]);
  client.disconnect();
  await once(client, 'end');
  await node.redis.call('CLUSTER', 'DELSLOTS', LAST);
  let attempts = 0;
  client.on('reconnecting', () => {
    attempts += 1;
  });
  const connected = client.connect().then(() => 'settled');
  await until('it has tried in vain', () => attempts > 0);
  await node.redis.call('CLUSTER', 'ADDSLOTS', LAST);
  expect(await Promise.race([connected, sleep(10_000, 'pending', { ref: false })])).toBe('settled');
  expect(client.status).toBe('ready');
  await Promise.all([first.quit(), client.quit()]);
});
