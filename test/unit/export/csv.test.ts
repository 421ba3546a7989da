import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CsvTable } from '../../../workers/export/csv.js';
import { unescapeFormula } from '../../../workers/export/formulas.js';

const columns = ['email', 'integrationId', 'identity'];
const plain = new CsvTable(columns);
const escaped = new CsvTable(columns, ['email', 'identity']);

const cell = fc.string({
  unit: fc.constantFrom('a', '"', ',', "'", '=', '+', ';', ' ', '\r', '\n', 'é', '😀', '|', '＝', '＠'),
  minLength: 1,
});
const rows = fc.array(fc.tuple(cell, fc.integer({ min: 1 }), cell), { minLength: 1, maxLength: 20 });
const asRead = (cells: [string, number, string][]) => cells.map((row) => row.map(String));
/**
 * CSV has one kind of record end here; otherwise the parser would detect the first line break of a cell as the record
 * end.
 */
const read = (text: string): string[][] => parse(text, { record_delimiter: '\n' });

test('a parser reads back the cells that were written', () => {
  fc.assert(
    fc.property(rows, (cells) => {
      expect(read(plain.lines(cells))).toEqual(asRead(cells));
    }),
  );
});

test('no escaped cell starts a formula, and removing the escapes restores the cells', () => {
  fc.assert(
    fc.property(rows, (cells) => {
      const lines = read(escaped.lines(cells)) as [string, string, string][];
      for (const [email, , identity] of lines)
        for (const text of [email, identity]) expect(text).not.toMatch(/^[=+\-@|＝＋－＠]/);
      expect(lines.map(([a, id, b]) => [unescapeFormula(a), id, unescapeFormula(b)])).toEqual(asRead(cells));
    }),
  );
});

test('the header names escaped columns', () => {
  expect(plain.header).toBe('email,integrationId,identity\n');
  expect(escaped.header).toBe('emailEscaped,integrationId,identityEscaped\n');
});

test('an empty cell and a null cell are both empty', () => {
  expect(plain.lines([['', 7, null]])).toBe(',7,\n');
});

test('a cell that is too large for csv-stringify is quoted in the same way', () => {
  const large = `${'x'.repeat(70_000)}"\r,`;
  expect(read(plain.lines([[large, 7, null]]))).toEqual([[large, '7', '']]);
});
