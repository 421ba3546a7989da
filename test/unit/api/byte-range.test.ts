import { expect, test } from '@jest/globals';
import { requestedRange } from '../../../api/jobs/send-file.js';

test.each([
  ['', 10, 'whole'],
  ['bytes=0-9', 10, { start: 0, end: 9 }],
  ['BYTES=2-', 10, { start: 2, end: 9 }],
  ['bytes= 2-3 ', 10, { start: 2, end: 3 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['bytes=9-9999999999999999999999', 10, { start: 9, end: 9 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-1', 0, 'unsatisfiable'],
  ['bytes=3-2', 10, 'whole'],
  ['bytes=1-2,5-6', 10, 'whole'],
  ['bytes=0x1-2', 10, 'whole'],
  ['items=0-1', 10, 'whole'],
])('%j of %i bytes: %j', (header, bytes, wanted) => {
  expect(requestedRange(header, bytes)).toEqual(wanted);
});
