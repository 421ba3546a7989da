import { execFile } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readCsv } from '../../../../workers/identities/parse/read-csv.js';
import { RecordSplitter } from '../../../../workers/identities/parse/split-records.js';
import { FileError } from '../../../../workers/identities/record/errors.js';
import { type ImportDesk, openImportDesk } from '../../../support/api/import-desk.js';
import { cases } from '../../../support/effort.js';
import { fileErrorOf, HEADER, read } from '../../../unit/identities/reading.js';

const MIB = 2 ** 20;
const GOOD = 'a@b.c,1,x\n';

interface Split {
  rows: { cells: string[]; line: number; code: string | null; bytes: number }[];
  failure: { code: string; line: number | null | undefined } | null;
}

function split(file: Buffer, sizes: number[], rejectOver?: number): Split {
  const rows: Split['rows'] = [];
  const splitter = new RecordSplitter(
    ',',
    1,
    (cells, line, failure) =>
      rows.push({ cells, line, code: failure?.code ?? null, bytes: splitter.record.length }),
    { rejectOver },
  );
  try {
    for (let at = 0, i = 0; at < file.length; i++) {
      const size = sizes[Math.min(i, sizes.length - 1)] ?? 1;
      splitter.write(file.subarray(at, at + size));
      at += size;
    }
    splitter.end();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { rows, failure: { code: error.code, line: error.errors[0]?.line } };
  }
  return { rows, failure: null };
}

test('a record that is too long is one rejected record, and all others are read as if there were no limit', () => {
  const part = fc.constantFrom(
    '"',
    '"',
    ',',
    '\n',
    '\r',
    '\r\n',
    '""',
    'abc',
    'x',
    'é',
    'a,"b\nc",d\n',
    ',"",',
  );
  const file = fc.array(part, { maxLength: 40 }).map((parts) => Buffer.from(parts.join('')));
  const cuts = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 });
  let long = 0;
  fc.assert(
    fc.property(file, cuts, fc.integer({ min: 2, max: 12 }), (bytes, sizes, limit) => {
      const whole = split(bytes, [bytes.length + 1]);
      const limited = split(bytes, sizes, limit);
      const expected = whole.rows.map((row) =>
        row.bytes > limit ? { cells: [], line: row.line, code: 'record_too_long' } : row,
      );
      long += expected.filter(({ code }) => code === 'record_too_long').length;
      expect(limited.failure).toEqual(whole.failure);
      expect(limited.rows).toMatchObject(expected);
      expect(limited.rows.length).toBe(expected.length);
    }),
    { numRuns: cases(1_000) },
  );
  expect(long).toBeGreaterThan(cases(160));
});

test('an empty piece after a CR does not join two records', () => {
  const { rows } = split(Buffer.from('"x",1\nabc\rd,e,f,g\n'), [10, 0, 7, 1], 6);
  expect(rows).toMatchObject([
    { cells: ['x', '1'], line: 1, code: null },
    { cells: ['abc'], line: 2, code: null },
    { cells: [], line: 3, code: 'record_too_long' },
  ]);
});

test('rows with long cells that are not imported use memory that does not grow with their number', async () => {
  // If each row kept its record in memory, 100 MB, the heap would be exhausted.
  const program = ['--max-old-space-size=48', '--import', 'tsx', 'test/support/memory-of-long-rows.ts'];
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  expect(JSON.parse(stdout)).toEqual({ rows: 200 });
});

describe('a row of more than 1 MiB', () => {
  const x = 'x'.repeat(2 * MIB);
  test.each([
    ['in one cell', `a@b.c,1,${x}\n`, 1],
    ['in many cells', `a@b.c,1${',x'.repeat(MIB)}\r\n`, 1],
    ['in quotes', `a@b.c,1,"${x}"\n`, 1],
    ['with quotes in quotes', `a@b.c,1,"${'""'.repeat(MIB)}"\r`, 1],
    ['with line breaks in quotes', `a@b.c,1,"${'x\r\n'.repeat(MIB)}"\n`, MIB + 1],
    ['with a stray quote', `a@b.c,1,y"${x}\n`, 1],
    ['that is just too long', `a@b.c,1,${'x'.repeat(MIB - 8)}\n`, 1],
  ])('is rejected like any other: %s', async (_, row, lines) => {
    for (const cuts of [[], [100_000]]) {
      const file = `${HEADER}${GOOD}${row}${GOOD}`;
      const found = await read(file, { cuts, rejectLongRows: true });
      expect(found.lines).toEqual([2, 3 + lines]);
      expect(found.rejected).toMatchObject([
        {
          line: 3,
          cells: ['', '', ''],
          errors: [{ field: null, code: 'record_too_long', message: 'the row is longer than 1 MiB' }],
        },
      ]);
      expect(found.rejected[0]?.original).toBe(`${row.slice(0, 450 * 1024)}…`);
    }
  });

  test('is rejected at the end of the file as well', async () => {
    const found = await read(`${HEADER}${GOOD}a@b.c,1,${x}`, { rejectLongRows: true });
    expect([found.lines, found.rejected.map(({ line }) => line)]).toEqual([[2], [3]]);
  });

  test('fails the file if its quotes are never closed', async () => {
    const failure = await fileErrorOf(`${HEADER}${GOOD}a@b.c,1,"x\n${GOOD.repeat(200_000)}`, {
      rejectLongRows: true,
    });
    expect(failure).toMatchObject({ code: 'unclosed_quote', errors: [{ line: 3 }] });
  });

  test('uses memory that does not grow with its length', async () => {
    let peak = 0;
    async function* source() {
      yield Buffer.from(`${HEADER}${GOOD}`);
      for (let i = 0; i < 200; i++) {
        yield Buffer.alloc(MIB, ',"x"');
        peak = Math.max(peak, process.memoryUsage().rss);
      }
      yield Buffer.from(`\n${GOOD}`);
    }
    const before = process.memoryUsage().rss;
    const limits = { maxBytes: 2 ** 40, maxRows: 10 };
    const rows: number[] = [];
    for await (const { records, rejected } of readCsv(source(), { limits, rejectLongRows: true }))
      rows.push(records.length, rejected.length);
    expect(rows).toEqual([2, 1]);
    expect(peak - before).toBeLessThan(120 * MIB);
  });
});

describe('an import', () => {
  let desk: ImportDesk;
  beforeAll(async () => {
    desk = await openImportDesk();
  });
  afterAll(() => desk.close());

  const file = `${HEADER}a@b.c,1,one\nlong@b.c,1,${'x'.repeat(3 * MIB)}\nd@e.f,1,two\n`;

  test('under onError=continue rejects a row of more than 1 MiB and writes the others', async () => {
    const id = await desk.accept({
      content: file,
      format: 'csv',
      action: 'assert',
      onError: 'continue',
      dryRun: false,
    });
    await desk.deliver(id);
    const job = await desk.find(id);
    expect(job).toMatchObject({
      state: 'completed_with_errors',
      counts: { total: 3, created: 2, rejected: 1 },
    });
    const rejected = parse(await text(desk.files.read(job.rejectedKey as string)), { columns: true });
    expect(rejected).toMatchObject([{ identityEscaped: '', line: '3', code: 'record_too_long' }]);
  });

  test('under onError=abort fails at once', async () => {
    const id = await desk.accept({
      content: file,
      format: 'csv',
      action: 'assert',
      onError: 'abort',
      dryRun: false,
    });
    await expect(desk.deliver(id)).rejects.toThrow('record_too_long');
    expect((await desk.find(id)).error).toMatchObject({ code: 'record_too_long', errors: [{ line: 3 }] });
  });
});
