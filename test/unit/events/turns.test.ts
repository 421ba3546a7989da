import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Turns } from '../../../workers/events/store/turns.js';

test('a turn comes when all earlier ones have ended, in whatever order they end', async () => {
  const turns = new Turns();
  const [first, second, third] = [turns.take(), turns.take(), turns.take()];
  const came: string[] = [];
  void second.comes().then(() => came.push('second'));
  const last = third.comes().then(() => came.push('third'));
  await first.comes();
  second.end();
  await nextTurn();
  expect(came).toEqual([]);
  first.end();
  await last;
  expect(came).toEqual(['second', 'third']);
});

test('a turn that does not end holds up the later ones for a limited time', async () => {
  const turns = new Turns();
  turns.take();
  const second = turns.take();
  const startedAt = performance.now();
  await second.comes();
  expect(performance.now() - startedAt).toBeGreaterThan(1_900);
});
