import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CsvTable } from '../../../workers/export/csv.js';
import { CsvRows } from '../../../workers/export/csv-rows.js';

const require = createRequire(import.meta.url);
/** mysql2 can be a server too: it makes the rows that are read here. It does not export this file. */
const TextRow = require(join(dirname(require.resolve('mysql2/package.json')), 'lib/packets/text_row.js'));

const COLUMNS = ['email', 'integrationId', 'identity'];
const PACKET_HEADER_BYTES = 4;
type Cells = [string, number, string | null];

/** Returns a row as the database sends it, with the packets around it that share its memory. */
function sentRow(cells: Cells): [packet: Buffer, start: number, end: number] {
  const { buffer } = TextRow.toPacket(
    cells.map((cell) => (cell === null ? null : String(cell))),
    'utf8',
  ) as { buffer: Buffer };
  const noise = Buffer.from('",=\n');
  const start = noise.length + PACKET_HEADER_BYTES;
  return [Buffer.concat([noise, buffer, noise]), start, noise.length + buffer.length];
}

/** Returns the file that pages make, and the number of rows that they say they have. */
function fileOf(table: CsvTable, rows: readonly Cells[]): { text: string; count: number } {
  const collector = new CsvRows(table);
  const pages = [];
  for (const cells of rows) {
    collector.add(...sentRow(cells));
    if (collector.isFull) pages.push(collector.take());
  }
  pages.push(collector.take());
  // Only at the end: a page must keep its bytes when the next one is made.
  const text = pages.map(({ bytes }) => bytes.toString()).join('');
  return { text, count: pages.reduce((sum, page) => sum + page.rows, 0) };
}

const SIGNS = [
  '"',
  ',',
  "'",
  '=',
  '+',
  '-',
  '@',
  '|',
  '＝',
  '＋',
  '－',
  '＠',
  '！',
  '＊',
  '：',
  '\r',
  '\n',
  '\t',
];
const text = fc.string({
  unit: fc.constantFrom('a', ' ', ';', '\0', 'é', '用', '😀', ...SIGNS),
  maxLength: 12,
});
const lengths = fc.constantFrom(249, 250, 251, 252, 255, 256, 65_535, 65_536, 150_000);
const long = fc.tuple(fc.constantFrom('x', '"', '='), lengths).map(([one, length]) => one.repeat(length));
const cells = fc.oneof(
  { weight: 30, arbitrary: fc.tuple(text, fc.nat(), fc.option(text)) },
  { weight: 1, arbitrary: fc.tuple(long, fc.nat(), long) },
) as fc.Arbitrary<Cells>;

test.each([{ escaped: [] }, { escaped: ['email', 'identity'] }])(
  'rows as the database sends them become the lines that their texts become, with $escaped escaped',
  ({ escaped }) => {
    const table = new CsvTable(COLUMNS, escaped);
    fc.assert(
      fc.property(fc.array(cells, { maxLength: 30 }), (rows) => {
        expect(fileOf(table, rows)).toEqual({ text: table.lines(rows), count: rows.length });
      }),
    );
  },
);

test('a page is full long before a batch of rows takes much memory', () => {
  const collector = new CsvRows(new CsvTable(COLUMNS));
  let rows = 0;
  for (; !collector.isFull; rows++) collector.add(...sentRow(['ada@example.com', rows, 'ada']));
  const page = collector.take();
  expect(page.rows).toBe(rows);
  expect(page.bytes.length).toBeLessThan(256 * 1024);
  expect(collector.take()).toMatchObject({ rows: 0 });
});
