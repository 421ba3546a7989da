import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import writeWorkbook from 'write-excel-file/node';
import { StoreUnavailable } from '../../../db/files/index.js';
import { readCsv } from '../../../workers/identities/parse/read-csv.js';
import { previewCsv } from '../../../workers/identities/preview/preview-csv.js';
import { Workbook } from '../../../workers/identities/workbook/workbook.js';
import { cases } from '../../support/effort.js';
import { toRows, workbookOf } from '../../support/files/workbook-file.js';
import { fileErrorOf, outcomeOf, read } from './reading.js';

const HEAD = ['email', 'integrationId', 'identity'];
const workbook = {};

/** Returns the rows as `line email integrationId identity`, or `line code` for the errors of each. */
async function linesOf(file: Buffer, sheet?: string): Promise<string[]> {
  const { records, lines, rejected } = await read(file, { workbook: { sheet } });
  return [
    ...records.map((one, at) => `${lines[at]} ${one.email} ${one.integrationId} ${one.identity}`),
    ...rejected.map(
      ({ line, errors }) => `${line} ${errors.map(({ field, code }) => `${field}:${code}`).join(' ')}`,
    ),
  ].sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10));
}

test('a workbook of another program has the rows, lines and errors of the same table as CSV', async () => {
  // The program cannot write `valueOf`.
  const text = fc.oneof(
    fc.constantFrom('ada', ' ada ', 'a,b', 'say "hi"', 'ünï', '😀', '=A1', '#N/A', '', '007', "'x", 'a&<b>'),
    fc
      .string({ unit: 'grapheme', maxLength: 12 })
      .filter((one) => !/[\p{C}\r\n\uFFFD]/u.test(one) && !(one in {})),
  );
  const row = fc.tuple(
    fc.oneof(fc.constantFrom('ada@example.com', 'BOB@example.com', 'none'), text),
    fc.oneof(fc.integer({ min: 0, max: 2 ** 49 }), fc.constantFrom('7', 'x')),
    fc.oneof(text, fc.integer({ min: 0, max: 1e14 })),
  );
  const table = fc.array(row, { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const cells = [HEAD, ...rows].map((one) =>
        one.map((value) => ({ value: value === '' ? null : value })),
      );
      const file = await writeWorkbook(cells as never).toBuffer();
      const { warnings: _, ...csv } = (await outcomeOf(stringify([HEAD, ...rows]))) as never as Record<
        string,
        never
      >;
      const { warnings: __, ...found } = (await outcomeOf(file, { workbook })) as never as Record<
        string,
        never
      >;
      expect(found).toEqual(csv);
    }),
    { numRuns: cases(60) },
  );
});

const STYLES = `<numFmts><numFmt numFmtId="164" formatCode="General"/><numFmt numFmtId="165" formatCode="yyyy\\-mm"/>
  <numFmt numFmtId="166" formatCode="00000"/><numFmt numFmtId="167" formatCode="&quot;day&quot;0"/></numFmts>
  <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="1"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/>
  <xf numFmtId="3"/><xf numFmtId="46"/></cellXfs>`;
const STRINGS =
  '<si><t>shared</t></si><si><r><t>ri</t></r><r><rPr><b/></rPr><t>ch</t></r><rPh><t>hint</t></rPh></si><si><t>a_x000D_b</t></si><si><t>_x005F_x0041_</t></si><si/>';

describe('a cell', () => {
  test.each([
    ['a shared string', '<c t="s"><v>0</v></c>', 'shared'],
    ['a text with formats and a phonetic hint', '<c t="s"><v>1</v></c>', 'rich'],
    ['an escaped text', '<c t="s"><v>3</v></c>', '_x0041_'],
    ['an inline text', '<c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>', 'inline'],
    ['a text in CDATA', '<c t="inlineStr"><is><t><![CDATA[a<b]]></t></is></c>', 'a<b'],
    ['a whole number', '<c><v>1041</v></c>', '1041'],
    ['a whole number with an exponent', '<c><v>1.041E3</v></c>', '1041'],
    ['a whole number of 15 digits', '<c><v>999999999999999</v></c>', '999999999999999'],
    ['a number in the format 0', '<c s="1"><v>7</v></c>', '7'],
    ['a number in a general format of its own', '<c s="3"><v>7</v></c>', '7'],
    ['the result of a formula', '<c t="str"><f>A1</f><v>result</v></c>', 'result'],
    ['a truth value', '<c t="b"><v>1</v></c>', 'TRUE'],
    ['line breaks at its ends', '<c t="inlineStr"><is><t>\nada\n</t></is></c>', 'ada'],
  ])('that is %s is read as it is shown', async (_, xml, identity) => {
    const rows = toRows([HEAD, ['a@example.com', 1, { xml }]]);
    const file = workbookOf({ rows, styles: STYLES, strings: STRINGS });
    expect(await linesOf(file)).toEqual([`2 a@example.com 1 ${identity}`]);
  });

  test.each([
    ['a date', '<c s="2"><v>43832</v></c>', 'cell_is_date'],
    ['a date in a format of its own', '<c s="4"><v>43832</v></c>', 'cell_is_date'],
    ['a duration', '<c s="8"><v>1.5</v></c>', 'cell_is_date'],
    ['a date as ISO 8601', '<c t="d"><v>2020-01-02</v></c>', 'cell_is_date'],
    ['a number that was rounded', '<c><v>1.23456789012346E+17</v></c>', 'number_rounded'],
    ['a number of 16 digits', '<c><v>1234567890123456</v></c>', 'number_rounded'],
    ['a number with a fraction', '<c><v>12.5</v></c>', 'number_not_whole'],
    ['a number with leading zeros in its format', '<c s="5"><v>7</v></c>', 'number_format'],
    ['a number with a word in its format', '<c s="6"><v>7</v></c>', 'number_format'],
    ['a number with separators', '<c s="7"><v>1041</v></c>', 'number_format'],
    ['a formula without a result', '<c><f>1+1</f></c>', 'formula_without_value'],
    ['a formula with an empty result', '<c><f>1+1</f><v></v></c>', 'formula_without_value'],
    ['a text of two lines', '<c t="inlineStr"><is><t>a\nb</t></is></c>', 'cell_line_break'],
    ['an escaped line break', '<c t="s"><v>2</v></c>', 'cell_line_break'],
    ['a text that looks like an escaped letter', '<c t="str"><v>a_x0041_</v></c>', 'cell_escape'],
    ['an error', '<c t="e"><v>#N/A</v></c>', 'identity_damaged'],
  ])('that is %s is rejected', async (_, xml, code) => {
    const rows = toRows([HEAD, ['a@example.com', 1, { xml }], ['b@example.com', 1, 'b']]);
    const file = workbookOf({ rows, styles: STYLES, strings: STRINGS });
    expect(await linesOf(file)).toEqual([`2 identity:${code}`, '3 b@example.com 1 b']);
  });

  test('is named with its sheet, and the other errors of the row too', async () => {
    const rows = toRows([HEAD, ['no', 1, { xml: '<c s="2"><v>43832</v></c>' }]]);
    const { rejected } = await read(workbookOf({ rows, styles: STYLES }), { workbook });
    expect(rejected[0]?.errors).toEqual([
      {
        field: 'identity',
        code: 'cell_is_date',
        message:
          'cell C2 of the sheet "People" is a date or a time. Format the column as text, and enter the value again',
      },
      expect.objectContaining({ field: 'email', code: 'email_invalid' }),
    ]);
    expect(rejected[0]?.cells).toEqual(['no', '1', '43832']);
  });

  test('in a column that is not read may be anything', async () => {
    const date = { xml: '<c s="2"><v>43832.5</v></c>' };
    const rows = toRows([
      [...HEAD, 'start'],
      ['a@example.com', 1, 'a', date],
    ]);
    expect(await linesOf(workbookOf({ rows, styles: STYLES }))).toEqual(['2 a@example.com 1 a']);
  });

  test('with a formula is rejected if the program that wrote it calculates nothing', async () => {
    const rows = toRows([HEAD, ['a@example.com', 1, { xml: '<c><f>1+1</f><v>0</v></c>' }]]);
    const file = workbookOf({ rows, calculation: '<calcPr fullCalcOnLoad="1"/>' });
    expect(await linesOf(file)).toEqual(['2 identity:formula_without_value']);
  });
});

describe('a sheet', () => {
  test('has the line numbers of its rows, with blank rows, rows without numbers and cells that are left out', async () => {
    const rows = `<row r="2"><c r="B2" t="str"><v>email</v></c><c r="D2" t="str"><v>identity</v></c><c r="E2" t="str"><v>note</v></c></row>
      <row><c r="B3" t="str"><v>a@example.com</v></c><c r="D3" t="str"><v>a</v></c></row>
      <row r="7" hidden="1"><c r="B7" t="str"><v>b@example.com</v></c><c r="D7"><v>7</v></c><c r="E7" t="str"><v>x</v></c></row>`;
    const { records, lines, warnings } = await read(workbookOf({ rows }), {
      workbook,
      choice: { integrationId: 1 },
    });
    expect(lines).toEqual([3, 7]);
    expect(records.map(({ identity }) => identity)).toEqual(['a', '7']);
    expect(warnings).toContainEqual({
      code: 'hidden_rows',
      message: '1 row is hidden in the sheet, and was read like the others',
      count: 1,
    });
  });

  const MERGED = '<mergeCells count="2"><mergeCell ref="C2:C3"/><mergeCell ref="E2:F9"/></mergeCells>';
  const MERGED_ROWS = toRows([HEAD, ['a@example.com', 1, 'a'], ['b@example.com', 1, '']]);

  test('with merged cells in a column that is read is rejected', async () => {
    const { code, message, errors } = await fileErrorOf(workbookOf({ rows: MERGED_ROWS, after: MERGED }), {
      workbook,
    });
    expect(code).toBe('merged_cells');
    expect(message).toBe(
      'the cells C2:C3 of the sheet "People" are merged. Only the first one has a value. Unmerge them, and enter the value in each row',
    );
    expect(errors).toEqual([expect.objectContaining({ line: 2, code: 'merged_cells' })]);
  });

  test('may have merged cells elsewhere', async () => {
    const after = '<mergeCells><mergeCell ref="A1:C1"/><mergeCell ref="E2:F9"/></mergeCells>';
    expect(await linesOf(workbookOf({ rows: MERGED_ROWS, after }))).toHaveLength(2);
  });

  const TWO = '<sheet name="People" sheetId="1" r:id="rId1"/><sheet name="Other" sheetId="2" r:id="rId2"/>';

  test('must be named if the workbook has several', async () => {
    const rows = toRows([HEAD, ['a@example.com', 1, 'a']]);
    const file = workbookOf({ rows, sheets: TWO });
    expect(await linesOf(file, 'Other')).toEqual(['2 other@example.com 2 other']);
    expect(await fileErrorOf(file, { workbook })).toMatchObject({
      code: 'sheet_missing',
      message:
        'the workbook has several sheets. Its sheets are "People", "Other". Choose one with the option sheet',
    });
    expect(await fileErrorOf(file, { workbook: { sheet: 'people' } })).toMatchObject({
      code: 'sheet_unknown',
    });
  });

  test('that is hidden is only read by its name', async () => {
    const rows = toRows([HEAD, ['a@example.com', 1, 'a']]);
    const file = workbookOf({ rows, sheets: TWO.replace('name="Other"', 'name="Other" state="hidden"') });
    expect(await linesOf(file)).toEqual(['2 a@example.com 1 a']);
    expect(await linesOf(file, 'Other')).toEqual(['2 other@example.com 2 other']);
  });

  test('with prefixes, as some libraries write them, is read', async () => {
    const plain = workbookOf({ rows: toRows([HEAD, ['a@example.com', 1, 'a']]) });
    const names = /<(\/?)(worksheet|sheetData|row|c|v|is|t)(?=[ >])/g;
    const rows = toRows([HEAD, ['a@example.com', 1, 'a']]);
    const sheet = `<worksheet xmlns:x="x"><sheetData>${rows}</sheetData></worksheet>`.replace(
      names,
      '<$1x:$2',
    );
    expect(await linesOf(workbookOf({ parts: { 'xl/worksheets/sheet1.xml': sheet } }))).toEqual(
      await linesOf(plain),
    );
  });
});

describe('a file', () => {
  const rows = toRows([HEAD, ['a@example.com', 1, 'a']]);

  test.each([
    ['another zip file', workbookOf({ parts: { '_rels/.rels': null } }), 'not_csv'],
    [
      'a binary workbook',
      workbookOf({
        parts: { '_rels/.rels': '<R><Relationship Type="x/officeDocument" Target="xl/workbook.bin"/></R>' },
      }),
      'not_csv',
    ],
    ['a workbook without a sheet', workbookOf({ sheets: '' }), 'sheet_unknown'],
    [
      'a workbook without the part of its sheet',
      workbookOf({ parts: { 'xl/worksheets/sheet1.xml': null } }),
      'workbook_damaged',
    ],
    [
      'a cell with an unknown string',
      workbookOf({ rows: toRows([HEAD, [{ xml: '<c t="s"><v>9</v></c>' }]]) }),
      'workbook_damaged',
    ],
    ['rows out of order', workbookOf({ rows: '<row r="2"/><row r="1"/>' }), 'workbook_damaged'],
    [
      'cells out of order',
      workbookOf({ rows: '<row r="1"><c r="B1"/><c r="A1"/></row>' }),
      'workbook_damaged',
    ],
    ['a row that no sheet has', workbookOf({ rows: '<row r="99999999"/>' }), 'workbook_damaged'],
    [
      'a cell with an unknown format',
      workbookOf({
        rows: toRows([HEAD, ['a@example.com', 1, { xml: '<c s="99"><v>1</v></c>' }]]),
        styles: STYLES,
      }),
      'workbook_damaged',
    ],
    [
      'a name of a part that cannot be decoded',
      workbookOf({
        parts: { '_rels/.rels': '<R><Relationship Type="x/officeDocument" Target="%E0%A4%A.xml"/></R>' },
      }),
      'workbook_damaged',
    ],
    [
      'a document type',
      workbookOf({ parts: { 'xl/worksheets/sheet1.xml': '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>' } }),
      'workbook_damaged',
    ],
    [
      'text that is not XML',
      workbookOf({ parts: { 'xl/worksheets/sheet1.xml': '<a><b></a>' } }),
      'workbook_damaged',
    ],
    [
      'text that is not UTF-8',
      workbookOf({ parts: { 'xl/worksheets/sheet1.xml': Buffer.from([0x3c, 0x61, 0xff, 0x3e]) } }),
      'workbook_damaged',
    ],
    [
      'many levels',
      workbookOf({ parts: { 'xl/worksheets/sheet1.xml': '<a>'.repeat(100) } }),
      'workbook_damaged',
    ],
    [
      'an endless text',
      workbookOf({ parts: { 'xl/worksheets/sheet1.xml': `<a b="${'x'.repeat(3e6)}"/>` } }),
      'workbook_damaged',
    ],
    [
      'a sheet of blanks',
      workbookOf({ parts: { 'xl/worksheets/sheet1.xml': `<a>${' '.repeat(2e7)}</a>` } }),
      'workbook_too_large',
    ],
    ['no rows', workbookOf({ rows: toRows([HEAD]) }), 'empty_file'],
  ])('%s is rejected as a whole', async (_, file, code) => {
    expect((await fileErrorOf(file, { workbook })).code).toBe(code);
  });

  test('with more text than the limit is rejected', async () => {
    const file = workbookOf({
      rows: toRows([HEAD, ...Array.from({ length: 500 }, () => ['a@example.com', 1, 'a'])]),
    });
    expect(await linesOf(file)).toHaveLength(500);
    expect((await fileErrorOf(file, { workbook: { maxBytes: 10_000 } })).code).toBe('workbook_too_large');
  });

  test('with a declared charset is rejected', async () => {
    expect((await fileErrorOf(workbookOf({ rows }), { workbook, charset: 'windows-1252' })).code).toBe(
      'charset_conflict',
    );
  });

  test('that is damaged anywhere is read as it was, or rejected', async () => {
    const file = workbookOf({
      rows: toRows([HEAD, ...Array.from({ length: 40 }, (_, at) => [`a${at}@example.com`, 1, `x${at}`])]),
    });
    const whole = await linesOf(file);
    const damage = fc.oneof(
      fc.nat(file.length - 1).map((end) => file.subarray(0, end)),
      fc.tuple(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, bits]) => {
        const copy = Buffer.from(file);
        copy[at] = (copy[at] ?? 0) ^ bits;
        return copy;
      }),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (bytes) => {
        const outcome = await outcomeOf(bytes, { workbook });
        if (!('fileError' in outcome)) expect(await linesOf(bytes)).toEqual(whole);
      }),
      { numRuns: cases(300) },
    );
  });

  test('is read in the same batches wherever the store cuts it, and its progress ends within the file', async () => {
    const noise = Array.from({ length: 3_000 }, (_, at) => [
      `a${at}@example.com`,
      1,
      randomBytes(12).toString('hex'),
    ]);
    const file = workbookOf({ rows: toRows([HEAD, ...noise]) });
    const batchesOf = async (size: number) => {
      const stored = {
        size: async () => file.length,
        read: ({ start, end }: { start: number; end: number }) =>
          Readable.from(cut(file.subarray(start, end + 1), size)),
      };
      const book = new Workbook(stored, { maxBytes: 2 ** 30 });
      const limits = { maxBytes: 2 ** 30, maxRows: 2 ** 30 };
      const batches: unknown[] = [];
      let last = 0;
      for await (const { lines, next, bytesRead } of readCsv(book, { limits })) {
        expect(bytesRead).toBeLessThanOrEqual(file.length);
        last = Math.max(last, bytesRead);
        batches.push([lines, next]);
      }
      expect(last).toBeGreaterThan(file.length / 2);
      return batches;
    };
    expect(await batchesOf(1_000)).toEqual(await batchesOf(file.length));
  });

  test('with large parts that are not compressed lets other work run', async () => {
    const strings = '<si><t>some text of a cell</t></si>'.repeat(200_000);
    let turns = 0;
    let next = setImmediate(function turn() {
      turns += 1;
      next = setImmediate(turn);
    });
    await previewCsv(workbookOf({ rows, strings, level: 0 }), { choice: {}, isComplete: true });
    clearImmediate(next);
    expect(turns).toBeGreaterThan(20);
  });

  test('that the store cannot deliver is not called damaged', async () => {
    const file = workbookOf({ rows });
    const away = new StoreUnavailable('the store is away');
    const stored = {
      size: async () => file.length,
      read: ({ start, end }: { start: number; end: number }) =>
        new Readable({
          read() {
            if (start < 100) this.destroy(away);
            this.push(file.subarray(start, end + 1));
            this.push(null);
          },
        }),
    };
    const reading = readCsv(new Workbook(stored, { maxBytes: 2 ** 30 }), {
      limits: { maxBytes: 1e9, maxRows: 1e9 },
    });
    await expect(reading[Symbol.asyncIterator]().next()).rejects.toBe(away);
  });
});

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('a preview', () => {
  const rows = toRows([
    ['Team', ...HEAD],
    ['m', 'a@example.com', 1, { xml: '<c s="2"><v>43832</v></c>' }],
    ['m', 'b@example.com', 1, 'b'],
  ]);
  const file = workbookOf({ rows, styles: STYLES });

  test('of a complete workbook shows its rows and the errors of its cells', async () => {
    const found = await previewCsv(file, { choice: {}, isComplete: true });
    expect(found.error).toBeNull();
    expect(found.rows.map(({ line, errors }) => [line, errors.map(({ code }) => code)])).toEqual([
      [2, ['cell_is_date']],
      [3, []],
    ]);
    expect(found.columns.map(({ name }) => name)).toEqual(['Team', ...HEAD]);
  });

  test('of its start asks for all of it', async () => {
    const found = await previewCsv(file, { choice: {}, isComplete: false });
    expect(found.error?.code).toBe('workbook_incomplete');
  });
});
