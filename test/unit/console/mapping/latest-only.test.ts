import { expect, test } from '@jest/globals';
import { LatestOnly } from '../../../../api/console/mapping/model/latest-only.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('runs one task at a time, and only the last of the inputs that arrive meanwhile', async () => {
  const begun: { input: string; end(): void; fail(): void }[] = [];
  const outcomes: unknown[] = [];
  const asker = new LatestOnly<string, string>(
    (input) =>
      new Promise((resolve, reject) => {
        begun.push({ input, end: () => resolve(`${input}!`), fail: () => reject(new Error(input)) });
      }),
    (input, outcome) => outcomes.push([input, outcome]),
  );
  for (const input of ['a', 'b', 'c']) asker.run(input);
  expect(begun.map(({ input }) => input)).toEqual(['a']);
  begun[0]?.end();
  await settled();
  expect(begun.map(({ input }) => input)).toEqual(['a', 'c']);
  asker.run('d');
  begun[1]?.fail();
  await settled();
  begun[2]?.end();
  await settled();
  expect(outcomes).toEqual([
    ['a', { value: 'a!' }],
    ['c', { error: new Error('c') }],
    ['d', { value: 'd!' }],
  ]);
  asker.run('e');
  expect(begun.map(({ input }) => input)).toEqual(['a', 'c', 'd', 'e']);
});
