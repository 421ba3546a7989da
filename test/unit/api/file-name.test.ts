import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { cleanFileName } from '../../../api/body/file-headers.js';

test.each([
  ['people.csv', 'people.csv'],
  ['C:\\Users\\Ada\\people.csv', 'people.csv'],
  ['/tmp/../people.csv', 'people.csv'],
  ['say %22hi%22.csv', 'say "hi".csv'],
  ['a\u0000b\u001b[31m\u2028\u202ec.csv', 'ab[31mc.csv'],
  ['\ud800.csv', '\ufffd.csv'],
  [`${'😀'.repeat(300)}`, '😀'.repeat(255)],
  [' \t ', null],
  ['folder/', null],
])('%j is shown as %j', (sent, shown) => {
  expect(cleanFileName(sent)).toBe(shown);
});

test('any name becomes null, or 1 to 255 characters on one line without a path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (sent) => {
      const name = cleanFileName(sent);
      if (name === null) return;
      expect([...name].length).toBeLessThanOrEqual(255);
      expect(name).toMatch(/^[^\p{Cc}/\\]+$/u);
      expect(name.isWellFormed()).toBe(true);
    }),
  );
});
