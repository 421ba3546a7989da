import { expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import type { IdentityCells } from '../../../db/identities/stream-identities.js';
import { unescapeFormula } from '../../../workers/export/formulas.js';
import { toCsv, toEscapedCsv } from '../../../workers/export/identities-csv.js';

const cell = fc.string({
  unit: fc.constantFrom('a', '"', ',', "'", '=', '+', ';', ' ', 'é', '😀', '|', '＝', '＠'),
  minLength: 1,
});
const rows = fc.array(fc.tuple(cell, fc.integer({ min: 1 }), cell), { minLength: 1, maxLength: 20 });
const asRead = (cells: IdentityCells[]) => cells.map((row) => row.map(String));

test('what is written is read the same', () => {
  fc.assert(
    fc.property(rows, (cells) => {
      expect(parse(toCsv(cells))).toEqual(asRead(cells));
    }),
  );
});

test('escaped, no cell begins like a formula, and taking the escape off gives the cells back', () => {
  fc.assert(
    fc.property(rows, (cells) => {
      const read = parse(toEscapedCsv(cells)) as [string, string, string][];
      for (const [email, , identity] of read)
        for (const text of [email, identity]) expect(text).not.toMatch(/^[=+\-@|＝＋－＠]/);
      expect(read.map(([a, id, b]) => [unescapeFormula(a), id, unescapeFormula(b)])).toEqual(asRead(cells));
    }),
  );
});
