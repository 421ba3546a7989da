import { expect, test } from '@jest/globals';
import { type EventBatch, inMemoryBatch } from '../../../workers/events/store/event-batch.js';
import {
  HALVES,
  type Half,
  type SeriesOrder,
  WriteQueue,
} from '../../../workers/events/store/write-queue.js';

/** Work that ends on demand, and the names of the work that has begun and ended. */
function workshop() {
  const seen: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const work = (name: string) => () =>
    new Promise<void>((resolve, reject) => {
      seen.push(`${name} begins`);
      ends.set(name, (error) => {
        seen.push(`${name} ends`);
        error ? reject(error) : resolve();
      });
    });
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error);
    await new Promise(setImmediate);
  };
  return { seen, work, end };
}

const noBatches = () => new WriteQueue(async () => {});

test('tasks run concurrently; a task alone waits for them, and later tasks wait too', async () => {
  const { seen, work, end } = workshop();
  const queue = noBatches();
  const all = [
    queue.run(work('a')),
    queue.run(work('b')),
    queue.runAlone(work('alone')),
    queue.run(work('c')),
  ];
  await end('');
  expect(seen).toEqual(['a begins', 'b begins']);
  await end('b');
  expect(seen).toHaveLength(3);
  await end('a');
  expect(seen.slice(3)).toEqual(['a ends', 'alone begins']);
  await end('alone');
  expect(seen.slice(5)).toEqual(['alone ends', 'c begins']);
  await end('c');
  await Promise.all(all);
});

test('two tasks alone never run at the same time, and a failed task blocks no other', async () => {
  const { seen, work, end } = workshop();
  const queue = noBatches();
  const other = queue.run(work('a'));
  const first = queue.runAlone(work('first'));
  const second = queue.runAlone(work('second'));
  const later = queue.run(work('later'));
  await end('');
  const failures = Promise.allSettled([other, first]);
  await end('a', new Error('a'));
  expect(seen).toEqual(['a begins', 'a ends', 'first begins']);
  await end('first', new Error('first'));
  expect(seen.slice(3)).toEqual(['first ends', 'second begins']);
  await end('second');
  await end('later');
  expect((await failures).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await Promise.all([second, later]);
});

/** Stands for a batch of so many events. */
const batchOf = (count: number): EventBatch => ({ ...inMemoryBatch([]), count });

/** A queue whose groups end on demand, by their numbers from 0, and wait for earlier ones when they are told to. */
function groups() {
  const sizes: number[][] = [];
  const [ends, orders]: [((error?: Error) => void)[], SeriesOrder[]] = [[], []];
  const queue = new WriteQueue((batches, order) => {
    sizes.push(batches.map(({ count }) => count));
    orders.push(order);
    return new Promise((resolve, reject) => ends.push((error) => (error ? reject(error) : resolve())));
  });
  const add = async (lane: string, count: number) => {
    const written = queue.add(lane, batchOf(count));
    await new Promise(setImmediate);
    return { written };
  };
  const wait = async (group: number, half?: Half): Promise<void> => {
    for (const one of half === undefined ? HALVES : [half]) await orders[group]?.earlier(one);
  };
  return { queue, sizes, ends, orders, wait, add };
}

test('batches that wait at the same time are one group of up to 1,000 events, and each lane has four groups in progress', async () => {
  const { queue, sizes, ends, add } = groups();
  const together = Promise.all([600, 400, 1, 2_000].map((count) => queue.add('a', batchOf(count))));
  await new Promise(setImmediate);
  expect(sizes).toEqual([[600, 400], [1], [2_000]]);
  await add('a', 5);
  const waiting = [await add('a', 6), await add('a', 7)];
  expect(sizes.slice(3)).toEqual([[5]]);
  await add('b', 8);
  expect(sizes.slice(4)).toEqual([[8]]);
  ends[1]?.();
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(sizes.slice(5)).toEqual([[6, 7]]);
  for (const end of ends) end();
  await Promise.all([together, ...waiting.map(({ written }) => written)]);
});

test('a group that fails rejects its batches only', async () => {
  const { ends, add } = groups();
  const [first, second] = [await add('a', 1), await add('a', 1)];
  ends[0]?.(new Error('lost'));
  ends[1]?.();
  await expect(first.written).rejects.toThrow('lost');
  await second.written;
});

test('a group waits until all earlier ones of its lane have ended, in whatever order they end', async () => {
  const { ends, wait, add } = groups();
  for (const lane of ['a', 'a', 'a', 'b']) await add(lane, 1);
  const came: number[] = [];
  void wait(1).then(() => came.push(1));
  const last = wait(2).then(() => came.push(2));
  await wait(0);
  await wait(3);
  ends[1]?.();
  await new Promise(setImmediate);
  expect(came).toEqual([]);
  ends[0]?.();
  await last;
  expect(came).toEqual([1, 2]);
});

test('a group may update a half of the series once all earlier ones have updated it', async () => {
  const { orders, wait, ends, add } = groups();
  for (let group = 0; group < 3; group++) await add('a', 1);
  const came: string[] = [];
  const waiting = [1, 2].flatMap((group) =>
    HALVES.map((half) => wait(group, half).then(() => came.push(`${group}.${half}`))),
  );
  const settle = () => new Promise(setImmediate);
  orders[0]?.ended(1);
  await settle();
  expect(came).toEqual(['1.1']);
  orders[1]?.ended(1);
  orders[1]?.ended(0);
  await settle();
  expect(came).toEqual(['1.1', '2.1']);
  ends[0]?.();
  await Promise.all(waiting);
  expect(came.slice(2).sort()).toEqual(['1.0', '2.0']);
});

test('a group that does not end holds up the later ones for a limited time', async () => {
  const { wait, add } = groups();
  await add('a', 1);
  await add('a', 1);
  const startedAt = performance.now();
  await wait(1, 0);
  expect(performance.now() - startedAt).toBeGreaterThan(1_900);
});
