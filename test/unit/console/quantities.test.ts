import { expect, test } from '@jest/globals';
import { byteSize, counted, duration } from '../../../api/console/text/quantities.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1_000, '1.0 kB'],
  [12_345_678, '12.3 MB'],
  [5_000_000_000, '5.0 GB'],
])('%d bytes are shown as %s', (bytes, words) => {
  expect(byteSize(bytes)).toBe(words);
});

test.each([
  [-3, '0.0 s'],
  [0.44, '0.4 s'],
  [42, '42 s'],
  [59.7, '1 min'],
  [60, '1 min'],
  [725, '12 min 5 s'],
  [3_600, '1 h'],
  [10_920, '3 h 2 min'],
  [187_200, '2 d 4 h'],
])('%d seconds are shown as %s', (seconds, words) => {
  expect(duration(seconds)).toBe(words);
});

test('a count is shown with its noun', () => {
  expect([counted(0, 'row'), counted(1, 'row'), counted(1_234_567, 'row')]).toEqual([
    '0 rows',
    '1 row',
    '1,234,567 rows',
  ]);
  expect(counted(2, 'identity', 'identities')).toBe('2 identities');
});
