import { expect, test } from '@jest/globals';
import { Ledger } from '../../../db/jobs/job-steps.js';

test('a ledger keeps what identifies each step, and not the rows of the step', () => {
  const ledger = new Ledger();
  const checksum = Buffer.alloc(8, 1);
  const step = (number: number) => ({ number, rows: 2, checksum, assertions: ['a row', 'another'] });
  for (const number of [1, 0]) ledger.add(step(number), { created: 2 });
  expect([...ledger.steps.values()]).toEqual([
    { number: 1, rows: 2, checksum, end: null },
    { number: 0, rows: 2, checksum, end: null },
  ]);
  expect(ledger.last).toEqual({ number: 1, rows: 2, checksum, end: null });
  expect(ledger.counts).toEqual({ created: 4 });
});
