import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ReadPoint } from '../../../workers/identities/parse/open-csv.js';
import { type CsvBatch, type CsvOptions, readCsv } from '../../../workers/identities/parse/read-csv.js';
import { FileError } from '../../../workers/identities/record/errors.js';
import { cases } from '../../support/effort.js';
import { chunksOf, HEADER } from './reading.js';

const NO_LIMITS = { maxBytes: 2 ** 40, maxRows: 2 ** 40 };

interface Outcome {
  batches: CsvBatch[];
  warnings: unknown[];
  fileError: Pick<FileError, 'code' | 'message' | 'errors'> | null;
}

/** Returns everything that a reading yields up to its end, or up to the error that ends it. */
async function readAll(file: Buffer, options: Partial<CsvOptions>, cuts: number[]): Promise<Outcome> {
  const reading = readCsv(chunksOf(file, cuts), { limits: NO_LIMITS, ...options });
  const outcome: Outcome = { batches: [], warnings: reading.warnings, fileError: null };
  try {
    for await (const batch of reading) outcome.batches.push(batch);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    outcome.fileError = { code: error.code, message: error.message, errors: error.errors };
  }
  return outcome;
}

/** Returns the value as JSON preserves it. */
const kept = (point: ReadPoint): ReadPoint => JSON.parse(JSON.stringify(point));

/** Removes the parts that depend on how the source arrives. */
const rowsIn = (batches: CsvBatch[]) => batches.map(({ bytesRead: _, ...rows }) => rows);

/** Resumes a file after each of its batches. Returns how often that was possible. */
async function expectSameFromEachPoint(
  file: Buffer,
  options: Partial<CsvOptions>,
  cuts: number[],
): Promise<number> {
  const whole = await readAll(file, options, cuts);
  let points = 0;
  for (const [index, { next }] of whole.batches.entries()) {
    if (!next) continue;
    points += 1;
    const rest = await readAll(file.subarray(next.offset), { ...options, from: kept(next) }, cuts);
    expect(rowsIn(rest.batches)).toEqual(rowsIn(whole.batches.slice(index + 1)));
    expect({ warnings: rest.warnings, fileError: rest.fileError }).toEqual({
      warnings: whole.warnings,
      fileError: whole.fileError,
    });
  }
  return points;
}

const part = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a@b.c,1,x', 'é@b.c,2,日本😀', '"a@b.c","2","y"', 'a@b.c,3,"x ""y"""'),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom('"a\nb",1,z', '"a\r\nb\rc",1,z', 'bad', 'a@b.c,1,x"y', '', ' ', '""', ',,'),
  },
);
const ending = fc.constantFrom('\n', '\r\n', '\r', '\n\n');
const lines = fc.array(
  fc.tuple(part, ending).map((pair) => pair.join('')),
  { maxLength: 25, size: 'max' },
);
const last = fc.constantFrom('', 'a@b.c,1,x', '\r', '"a@b.c,1,x', '\0', 'a@b.c,1,"x"y\n"', 'a@b.c,1,"x\ny"z');
const front = fc.constantFrom('', '\ufeff', '\n\r\n', 'sep=,\n');
const header = fc.constantFrom(
  HEADER,
  '"email",integrationId,"identity"\r\n',
  'identity,note,email,integrationId\n',
);
const cuts = fc.oneof(
  fc.constant<number[]>([1]),
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }),
);

describe('a reading that resumes after a batch', () => {
  test('yields the rest as if it had never stopped: rows, lines, batches, warnings and the error at the end', async () => {
    let points = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(front, header, lines, last),
        fc.integer({ min: 1, max: 6 }),
        fc.constantFrom(NO_LIMITS, { maxBytes: 200, maxRows: 2 ** 40 }, { maxBytes: 2 ** 40, maxRows: 8 }),
        cuts,
        async ([start, names, body, end], batchRows, limits, sizes) => {
          const file = Buffer.from(start + names + body.join('') + end);
          points += await expectSameFromEachPoint(file, { batchRows, limits }, sizes);
        },
      ),
      {
        numRuns: cases(80),
        // The row over the limit is in the same chunk as the rows of the last batch, but only after the reading was resumed.
        examples: [
          [
            [
              '',
              HEADER,
              [...Array(6).fill('a@b.c,1,x\n'), '"a@b.c","2","y"\n', ...Array(2).fill('a@b.c,1,x\n')],
              '',
            ],
            1,
            { maxBytes: 2 ** 40, maxRows: 8 },
            [20, 1],
          ],
        ],
      },
    );
    expect(points).toBeGreaterThan(cases(48));
  });

  test('reports lines and offsets of the file, also beyond the part that is examined first', async () => {
    const rows = Array.from({ length: 6_000 }, (_, at) => `a${at}@b.c,${at + 1},"x\r\ny"\r\n`).join('');
    const file = Buffer.concat([
      Buffer.from(`\ufeff${HEADER}${rows}a@b.c,1,`),
      Buffer.from([0xe9]),
      Buffer.from('\n'),
    ]);
    const { batches } = await readAll(file, {}, []);
    const { next } = batches[2] as CsvBatch;
    expect(next).toMatchObject({ rows: 3_000, line: 6_002 });
    const from = kept(next as ReadPoint);
    const rest = await readAll(file.subarray(from.offset), { from }, []);
    const row = rest.batches.at(-1)?.rejected[0];
    expect(row).toMatchObject({ line: 12_002 });
    expect(row?.errors[0]?.message).toContain(`at offset ${file.length - 2} `);
    expect(await expectSameFromEachPoint(file, {}, [70_000])).toBeGreaterThanOrEqual(5);
  });
});

describe('a reading cannot resume', () => {
  const rows = 'a@b.c,1,x\n'.repeat(10);
  const plain = Buffer.from(HEADER + rows);

  test.each<[string, Buffer, Partial<CsvOptions>, boolean[]]>([
    ['but in plain UTF-8', plain, {}, Array(10).fill(true)],
    ['in gzip', gzipSync(plain), {}, Array(10).fill(false)],
    ['in another charset', plain, { charset: 'windows-1252' }, Array(10).fill(false)],
    ['in UTF-16', Buffer.from(`\ufeff${HEADER}${rows}`, 'utf16le'), {}, Array(10).fill(false)],
    [
      'after an undecodable byte in the header',
      Buffer.concat([
        Buffer.from('email,integrationId,identity,'),
        Buffer.from([0xe9]),
        Buffer.from(`\n${rows.replaceAll('\n', ',\n')}`),
      ]),
      {},
      Array(10).fill(false),
    ],
  ])('%s', async (_, file, options, wanted) => {
    const { batches, fileError } = await readAll(file, { batchRows: 1, ...options }, [7]);
    expect(fileError).toBeNull();
    expect(batches.map(({ next }) => next !== null)).toEqual(wanted);
  });
});
