import { expect, jest, test } from '@jest/globals';
import { testUnless } from '../../support/test-unless.js';

test('a test that cannot run here is skipped, and the reason is written once', () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  expect([testUnless('it needs root'), testUnless('it needs root')]).toEqual([test.skip, test.skip]);
  expect(testUnless('it needs MariaDB')).toBe(test.skip);
  const lines = write.mock.calls.map(([text]) => text);
  write.mockRestore();
  expect(lines).toEqual([
    'test/unit/scripts/test-unless.test.ts skipped: it needs root\n',
    'test/unit/scripts/test-unless.test.ts skipped: it needs MariaDB\n',
  ]);
});

test('a test that can run here is run', () => {
  expect(testUnless(null)).toBe(test);
});
