import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { GroupCommit } from '../../../api/intake/group-commit.js';
import { QueueUnavailable } from '../../../workers/queues/producer.js';
import { shardOfBatch } from '../../../workers/queues/shards/intake-shards.js';
import { until } from '../../support/until.js';

const event = (id: string) => ({ id, webhookId: 'w', receivedAt: 0, raw: '1' });
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** Records calls of `add`, which the test resolves by hand. */
function manual(shards = 1) {
  const adds: { id: string; ids: string[]; shard: number; resolve: () => void; fail: () => void }[] = [];
  const commit = new GroupCommit({
    shards,
    add: (id, { events }, shard) =>
      new Promise((resolve, reject) => {
        const ids = events.map((one) => one.id);
        adds.push({ id, ids, shard, resolve, fail: () => reject(new QueueUnavailable('gone')) });
      }),
  });
  return { adds, commit };
}

test('events of one event-loop turn form a batch; while two batches are in flight, new events are collected', async () => {
  const { adds, commit } = manual();
  const first = ['a', 'b'].map((id) => commit.join(event(id), 1));
  await turn();
  const second = commit.join(event('c'), 1);
  await turn();
  const later = ['d', 'e', 'f'].map((id) => commit.join(event(id), 1));
  await turn();
  expect(adds.map(({ ids }) => ids)).toEqual([['a', 'b'], ['c']]);
  adds[1]?.resolve();
  await second;
  await turn();
  expect(adds[2]?.ids).toEqual(['d', 'e', 'f']);
  adds[0]?.resolve();
  adds[2]?.resolve();
  await Promise.all([...first, ...later, commit.close()]);
});

test('a batch holds 200 events or 512 KiB, or one event', async () => {
  const { adds, commit } = manual();
  const joined = Array.from({ length: 250 }, (_, i) => commit.join(event(String(i)), 1));
  joined.push(commit.join(event('large'), 1_000_000), commit.join(event('last'), 1));
  await turn();
  while (adds.length < 4) {
    for (const { resolve } of adds) resolve();
    await turn();
  }
  for (const { resolve } of adds) resolve();
  await Promise.all(joined);
  expect(adds.map(({ ids }) => ids.length)).toEqual([200, 50, 1, 1]);
});

test('a failed add is retried under the same id, and gives up soon if it keeps failing', async () => {
  const { adds, commit } = manual();
  const joined = commit.join(event('a'), 1);
  await turn();
  adds[0]?.fail();
  while (adds.length < 2) await turn();
  expect(adds[1]?.id).toBe(adds[0]?.id);
  adds[1]?.resolve();
  await joined;
  const lost = commit.join(event('b'), 1);
  const outcome = expect(lost).rejects.toThrow(QueueUnavailable);
  const failing = setInterval(() => adds.at(-1)?.fail(), 10);
  await outcome;
  clearInterval(failing);
});

test('a batch is added to the shard that its id names, also when it is added again', async () => {
  const { adds, commit } = manual(16);
  const joined = commit.join(event('a'), 1);
  await turn();
  adds[0]?.fail();
  await until('it is added again', () => adds.length === 2);
  expect(adds[1]).toMatchObject({ id: adds[0]?.id, shard: adds[0]?.shard });
  expect(adds[0]?.shard).toBe(shardOfBatch(adds[0]?.id as string, 16));
  adds[1]?.resolve();
  await joined;
});

test('a shard that does not respond holds two batches, and not those of other shards', async () => {
  const { adds, commit } = manual(3);
  const joined: Promise<void>[] = [];
  const stalled = () => adds.filter(({ shard }) => shard === 0);
  const respond = () => {
    for (const { shard, resolve } of adds) if (shard !== 0) resolve();
  };
  while (adds.length < 60) {
    joined.push(commit.join(event(String(joined.length)), 1));
    await turn();
    respond();
    // A stalled batch leaves its place to others after a while.
    await sleep(5);
  }
  expect(stalled()).toHaveLength(2);
  for (const { resolve } of stalled()) resolve();
  await until('the rest is added', () => {
    for (const { resolve } of adds) resolve();
    return adds.reduce((sum, { ids }) => sum + ids.length, 0) === joined.length;
  });
  await Promise.all([...joined, commit.close()]);
});
