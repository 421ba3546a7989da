import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { escapeFormula, unescapeFormula } from '../../../workers/export/formulas.js';

test.each([
  ['=1+1', "'=1+1"],
  ['+49', "'+49"],
  ['-5', "'-5"],
  ['@sum', "'@sum"],
  ['|calc', "'|calc"],
  ['＝1+1', "'＝1+1"],
  ['＋49', "'＋49"],
  ['－5', "'－5"],
  ['＠sum', "'＠sum"],
  ["'=1", "''=1"],
  ["'＝1", "''＝1"],
  ["'", "'"],
  ["o'=x", "o'=x"],
  ['jane@example.com', 'jane@example.com'],
  ['', ''],
])('%j is escaped as %j', (cell, escaped) => expect(escapeFormula(cell)).toBe(escaped));

test('unescaping undoes escaping, and nothing escaped starts a formula', () => {
  const cell = fc.string({
    unit: fc.constantFrom("'", '=', '+', '-', '@', '|', '＝', '＋', '－', '＠', 'a', ' ', '\n'),
  });
  fc.assert(
    fc.property(fc.oneof(cell, fc.string({ unit: 'binary' })), (text) => {
      expect(unescapeFormula(escapeFormula(text))).toBe(text);
      expect(escapeFormula(text)).not.toMatch(/^[=+\-@|＝＋－＠]/);
    }),
    { numRuns: 5_000 },
  );
});
