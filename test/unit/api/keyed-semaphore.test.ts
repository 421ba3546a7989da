import { expect, test } from '@jest/globals';
import { KeyedSemaphore, SemaphoreBusy } from '../../../api/limits/keyed-semaphore.js';

/** A task that ends on demand. */
function held() {
  let finish = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { work: () => done, finish };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('runs the allowed number of tasks per key, and the others in order of arrival', async () => {
  const limit = new KeyedSemaphore({ max: 2, maxWaiting: 10, waitMs: 60_000 });
  const started: number[] = [];
  const pieces = Array.from({ length: 5 }, held);
  const runs = pieces.map(({ work }, i) =>
    limit.run('a', () => {
      started.push(i);
      return work();
    }),
  );
  await settled();
  expect(started).toEqual([0, 1]);
  await limit.run('b', async () => {});
  pieces[1]?.finish();
  await runs[1];
  await settled();
  expect(started).toEqual([0, 1, 2]);
  for (const { finish } of pieces) finish();
  await Promise.all(runs);
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

test('rejects immediately when the queue is full, and after the maximum wait; those tasks never start', async () => {
  const limit = new KeyedSemaphore({ max: 1, maxWaiting: 1, waitMs: 20 });
  const first = held();
  const running = limit.run('a', first.work);
  const work = async () => {
    throw new Error('it was started');
  };
  const waiting = limit.run('a', work);
  await expect(limit.run('a', work)).rejects.toThrow(SemaphoreBusy);
  await expect(waiting).rejects.toThrow(SemaphoreBusy);
  first.finish();
  await running;
  expect(await limit.run('a', async () => 'next')).toBe('next');
});

test('a failed task lets the next one start', async () => {
  const limit = new KeyedSemaphore({ max: 1, maxWaiting: 5, waitMs: 60_000 });
  const fails = limit.run('a', () => Promise.reject(new Error('failed')));
  const next = limit.run('a', async () => 'next');
  await expect(fails).rejects.toThrow('failed');
  expect(await next).toBe('next');
});
