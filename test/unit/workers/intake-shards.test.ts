import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import {
  intakeShardNames,
  MAX_SHARDS,
  queueOfShard,
  SLOTS,
  shardNames,
  shardNumber,
  shardOfBatch,
  slotOf,
} from '../../../workers/queues/shards/intake-shards.js';
import { queuePrefix, shardPrefixes } from '../../../workers/queues/shards/queue-prefix.js';

/** Counts values by their kind. */
function countBy<T>(values: readonly T[], kindOf: (value: T) => number, kinds: number): number[] {
  const counts = Array.from({ length: kinds }, () => 0);
  for (const value of values) counts[kindOf(value)] = (counts[kindOf(value)] as number) + 1;
  return counts;
}

/** From the specification of Redis Cluster, and `CLUSTER KEYSLOT` of Redis 7.0. */
test.each([
  ['123456789', 0x31c3],
  ['foo', 12_182],
  ['{foo}:bar', 12_182],
  ['', 0],
])('the slot of %s is %d', (key, slot) => {
  expect(slotOf(key)).toBe(slot);
});

test('shard 0 and every other queue keep the names and the prefix that they had before there were shards', () => {
  expect(intakeShardNames(1)).toEqual(['alert-intake', 'alert-intake-bulk']);
  for (const queue of ['alert-intake', 'alert-intake-bulk', 'identity-import-large', 'upkeep'])
    expect([shardNumber(queue), queueOfShard(queue), queuePrefix('{muster}', queue)]).toEqual([
      0,
      queue,
      '{muster}',
    ]);
});

test('names, prefixes and shards of batches never change: queued events depend on them', () => {
  expect(shardNames('alert-intake-bulk', 3)).toEqual([
    'alert-intake-bulk',
    'alert-intake-bulk-1',
    'alert-intake-bulk-2',
  ]);
  expect(
    ['alert-intake-7', 'alert-intake-bulk-12'].map((name) => [shardNumber(name), queueOfShard(name)]),
  ).toEqual([
    [7, 'alert-intake'],
    [12, 'alert-intake-bulk'],
  ]);
  expect(shardPrefixes('{muster}', 4)).toEqual(['{muster}', '{muster:41}', '{muster:40}', '{muster:42}']);
  expect(shardOfBatch('019a7a3e-0000-7000-8000-000000000000', 16)).toBe(11);
});

describe.each(['{muster}', '{t1a2b3c4d}', '{a}'])('with the prefix %s', (prefix) => {
  test.each([1, 2, 4, 8, 16, 32, MAX_SHARDS])('%d shards are evenly apart', (shards) => {
    const slots = shardPrefixes(prefix, shards)
      .map(slotOf)
      .sort((a, b) => a - b);
    const gaps = slots.map(
      (slot, i) => ((slots[(i + 1) % shards] as number) - slot + SLOTS) % SLOTS || SLOTS,
    );
    const share = SLOTS / MAX_SHARDS;
    for (const gap of gaps) expect(Math.abs(gap - SLOTS / shards)).toBeLessThan(share);
  });

  test.each([2, 3, 5, 8])('each of %d masters has its part of 16 shards', (masters) => {
    const counts = countBy(
      shardPrefixes(prefix, 16),
      (tag) => Math.floor((slotOf(tag) * masters) / SLOTS),
      masters,
    );
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(2);
  });
});

test.each([2, 3, 16, MAX_SHARDS])('batches spread over %d shards', (shards) => {
  const ids = Array.from({ length: shards * 200 }, () => uuidv7());
  for (const count of countBy(ids, (id) => shardOfBatch(id, shards), shards)) {
    expect(count).toBeGreaterThan(100);
    expect(count).toBeLessThan(300);
  }
  expect(ids.map((id) => shardOfBatch(id, shards))).toEqual(ids.map((id) => shardOfBatch(id, shards)));
});
