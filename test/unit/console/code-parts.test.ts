import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codeParts, withoutCodeMarks } from '../../../api/console/text/code-parts.ts';

test.each([
  ['must be an integer', ['must be an integer']],
  ['an address such as `ada@example.com`', ['an address such as ', 'ada@example.com', '']],
  ['`email`: must not be `x`.', ['', 'email', ': must not be ', 'x', '.']],
  ['a `b` c ` d', ['a ', 'b', ' c ` d']],
  ['`', ['`']],
  ['', ['']],
])('%j has prose and code by turns', (message, parts) => {
  expect(codeParts(message)).toEqual(parts);
});

test('nothing of a message is lost except pairs of backticks', () => {
  const marked = fc.string({ unit: fc.constantFrom('`', '<', 'a', ' ') });
  fc.assert(
    fc.property(marked, (message) => {
      const parts = codeParts(message);
      expect(parts.length % 2).toBe(1);
      expect(parts.join('`')).toBe(message);
      expect(withoutCodeMarks(message).replaceAll('`', '')).toBe(message.replaceAll('`', ''));
    }),
  );
});
