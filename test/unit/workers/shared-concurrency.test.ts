import { expect, test } from '@jest/globals';
import { SharedConcurrency } from '../../../workers/job-taker.js';

/** Returns queues that share, with these numbers of running jobs. */
function sharing(total: number, running: readonly number[]) {
  const share = new SharedConcurrency(total);
  const members = running.map((jobs, i) => ({
    queue: { name: String(i), concurrency: 1, running: jobs, taken: jobs },
    worker: { concurrency: 1 },
  }));
  for (const member of members) share.add(member);
  return {
    share,
    queues: members.map(({ queue }) => queue),
    allowed: () => members.map(({ queue, worker }) => [queue.concurrency, worker.concurrency]),
  };
}

const both = (numbers: readonly number[]) => numbers.map((number) => [number, number]);

test('a queue that is alone may run all jobs', () => {
  expect(sharing(20, [0, 0, 0]).allowed()).toEqual(both([20, 20, 20]));
  expect(sharing(20, [20]).allowed()).toEqual(both([20]));
});

test('while one queue runs all, another one may start one; the place moves as jobs end', () => {
  const { share, queues, allowed } = sharing(4, [4, 0]);
  expect(allowed()).toEqual(both([4, 1]));
  const [first, second] = queues;
  if (!first || !second) throw new Error('two queues');
  second.running = 1;
  share.divide();
  expect(allowed()).toEqual(both([4, 1]));
  first.running = 2;
  share.divide();
  expect(allowed()).toEqual(both([3, 2]));
});
