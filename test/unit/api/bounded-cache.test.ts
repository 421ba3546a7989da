import { expect, test } from '@jest/globals';
import { ShortMemory } from '../../../api/http/bounded-cache.js';
import { until } from '../../support/until.js';

test('removes the oldest value when it is full', () => {
  const memory = new ShortMemory<number>(2, 60_000);
  memory.set('a', 1);
  memory.set('b', 2);
  memory.set('a', 3);
  memory.set('c', 4);
  expect([memory.get('a'), memory.get('b'), memory.get('c')]).toEqual([3, undefined, 4]);
});

test('removes a value after its time to live', async () => {
  const memory = new ShortMemory<number>(2, 30);
  memory.set('a', 1);
  expect(memory.has('a')).toBe(true);
  await until('it is forgotten', () => !memory.has('a'));
});
