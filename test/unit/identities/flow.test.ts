import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import { type CsvBatch, readCsv } from '../../../workers/identities/parse/read-csv.js';
import { slowness } from '../../support/cpu-time.js';
import { HEADER, read } from './reading.js';

const LIMITS = { maxBytes: 2 ** 40, maxRows: 2 ** 40 };
const MEGABYTE = 1_000_000;

async function batchesOf(source: AsyncIterable<Uint8Array>, batchRows?: number): Promise<CsvBatch[]> {
  const batches: CsvBatch[] = [];
  for await (const batch of readCsv(source, { limits: LIMITS, batchRows })) batches.push(batch);
  return batches;
}

/** Returns a source that records whether it was closed. */
function watched(chunks: (string | Buffer)[]): Readable {
  return Readable.from(chunks.map((chunk) => Buffer.from(chunk as string)));
}

describe('batches', () => {
  const file = Buffer.from(`${HEADER}${'a@b.c,1,x\nbad\n'.repeat(50)}`);

  test('contain the requested number of rows, valid and rejected, wherever chunks are cut', async () => {
    const sizes = (batches: CsvBatch[]) =>
      batches.map(({ records, rejected }) => [records.length, rejected.length]);
    const whole = await batchesOf(watched([file]), 30);
    expect(sizes(whole)).toEqual([
      [15, 15],
      [15, 15],
      [15, 15],
      [5, 5],
    ]);
    const bytewise = watched(Array.from(file, (byte) => Buffer.from([byte])));
    expect(sizes(await batchesOf(bytewise, 30))).toEqual(sizes(whole));
  });

  test('end early if rejected cells are long', async () => {
    const row = `a,1,${'x'.repeat(100_000)}\n`;
    const batches = await batchesOf(watched([HEADER, ...Array(50).fill(row)]));
    expect(batches.length).toBeGreaterThanOrEqual(4);
    expect(batches.flatMap(({ rejected }) => rejected).length).toBe(50);
  });

  test('report the number of bytes read from the source, compressed for gzip', async () => {
    const plain = await batchesOf(watched([file]));
    expect(plain.at(-1)?.bytesRead).toBe(file.length);
    const packed = gzipSync(file);
    expect((await batchesOf(watched([packed]))).at(-1)?.bytesRead).toBe(packed.length);
  });

  test('do not change the cells of one row when the next is read', async () => {
    const { records } = await read(
      `${HEADER}${Array.from({ length: 5000 }, (_, i) => `a@b.c,1,${i}\n`).join('')}`,
    );
    expect(records.map(({ identity }) => Number(identity))).toEqual(
      Array.from({ length: 5000 }, (_, i) => i),
    );
  });
});

describe('the source', () => {
  const rows = 'a@b.c,1,x\n'.repeat(20_000);
  const gzipped = gzipSync(Array.from({ length: 20_000 }, (_, i) => `a${i * 7919}@b.c,1,x\n`).join(''));

  test.each([
    ['stopped early', [HEADER, rows, rows, rows]],
    ['stopped early, compressed', [gzipSync(HEADER), gzipped, gzipped, gzipped]],
  ])('is closed when reading is %s', async (_, chunks) => {
    const source = watched(chunks);
    for await (const _batch of readCsv(source, { limits: LIMITS, batchRows: 10 })) break;
    expect(source.destroyed).toBe(true);
  });

  test.each([
    ['an error of its first bytes', ['PK\x03\x04', rows, rows]],
    ['an error of its header', ['a,b\n', rows, rows]],
    ['an error further down', [HEADER, rows, '"', rows, rows.repeat(20), rows]],
    ['an error of its compression', [gzipSync(HEADER), Buffer.alloc(100_000, 7), rows, rows]],
    ['an error inside compression', [gzipSync('a,b\n'), gzipped, gzipped, gzipped]],
  ])('is closed by %s', async (_, chunks) => {
    const source = watched(chunks);
    await expect(batchesOf(source)).rejects.toMatchObject({ name: 'FileError' });
    expect(source.destroyed).toBe(true);
  });

  test.each([
    ['plain', [HEADER, rows]],
    ['compressed', [gzipSync(HEADER), gzipped]],
    ['at once', []],
  ])('may fail itself (%s): its own error is thrown', async (_, chunks) => {
    const failing = Readable.from(
      (async function* () {
        for (const chunk of chunks) yield Buffer.from(chunk as string);
        throw new Error('the disk is gone');
      })(),
    );
    await expect(batchesOf(failing)).rejects.toThrow('the disk is gone');
  });
});

test('progress is reported while only blank lines are read, by the decompressed bytes', async () => {
  const packed = gzipSync(Buffer.concat([Buffer.from(HEADER), Buffer.alloc(3 * MEGABYTE, '\n')]));
  const seen = new Set<number>();
  const onProgress = (bytesRead: number) => void seen.add(bytesRead);
  const reading = readCsv(watched([packed]), { limits: LIMITS, onProgress })[Symbol.asyncIterator]();
  await expect(reading.next()).rejects.toMatchObject({ code: 'empty_file' });
  expect(seen.size).toBeGreaterThan(10);
  expect(Math.max(...seen)).toBe(packed.length);
});

test('an error of the progress callback ends the reading', async () => {
  const source = watched([HEADER, ...Array(100).fill('\n'.repeat(100_000))]);
  const onProgress = () => {
    throw new Error('canceled');
  };
  const reading = readCsv(source, { limits: LIMITS, onProgress })[Symbol.asyncIterator]();
  await expect(reading.next()).rejects.toThrow('canceled');
  expect(source.destroyed).toBe(true);
});

test.each([
  ['blank', '\n'],
  ['short', 'a,b\n'],
])(
  'no error object is created for each row of a different width than the first one, which is %s',
  async (_, first) => {
    // csv-parse creates one for each row of a different width, which took 95% of the time of such a file.
    const built = jest.spyOn(Error, 'captureStackTrace');
    try {
      await batchesOf(watched([`${HEADER}${first}${'jane.doe@example.com,17,jane\n'.repeat(1_000)}`]));
      expect(built.mock.calls.length).toBeLessThan(10);
    } finally {
      built.mockRestore();
    }
  },
);

describe('the event loop', () => {
  test.each([
    ['good rows', Buffer.alloc(2 * MEGABYTE, 'jane.doe@example.com,17,jane\n')],
    ['quoted rows', Buffer.alloc(2 * MEGABYTE, '"jane.doe@example.com","17","jane"\r\n')],
    ['rejected rows', Buffer.alloc(MEGABYTE, ',x,\n')],
    ['stray quotes', Buffer.alloc(MEGABYTE, 'a,1,b"\n')],
    ['undecodable bytes', Buffer.alloc(2 * MEGABYTE, Buffer.from('a@b.c,1,jos\xe9\n', 'latin1'))],
    ['one cell a line', Buffer.alloc(MEGABYTE, 'x\n')],
    ['a row as long as may be', Buffer.alloc(4 * MEGABYTE, `a@b.c,1,"${'x""\n'.repeat(250_000)}"\n`)],
  ])('is not blocked even if everything arrives in one chunk: %s', async (_, body) => {
    const file = Buffer.concat([Buffer.from(HEADER), body]);
    let turns = 0;
    let watching = true;
    const tick = () => {
      turns++;
      if (watching) setImmediate(tick);
    };
    setImmediate(tick);
    const start = process.cpuUsage();
    let rows = 0;
    try {
      for await (const { records, rejected } of readCsv(watched([file]), { limits: LIMITS })) {
        rows += records.length + rejected.length;
      }
    } catch (error) {
      // Cut where the bytes end, the last row may be unclosed; this test ignores that.
      expect(error).toMatchObject({ code: 'unclosed_quote' });
    } finally {
      watching = false;
    }
    expect(rows).toBeGreaterThan(0);
    // 10 ms and a piece each. The mean, in time of our own: one turn may meet a collection of garbage or a busy machine.
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1_000 / turns).toBeLessThan(60 * slowness());
  });
});
