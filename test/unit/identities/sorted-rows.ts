import fc from 'fast-check';
import { RunReader } from '../../../workers/identities/spool/run-reader.js';
import { newRunMemory, SortedRun } from '../../../workers/identities/spool/sorted-run.js';

export interface Row {
  integrationId: number;
  identity: string;
  email: string | null;
  /** The line of the row; 0 if it does not matter. */
  place?: number;
}

/** One run serves all: it is empty after each drain, and its buffer is large. */
const run = new SortedRun(newRunMemory(65_536));

/** Returns the output of a run: complete rows in pieces of at most `pieceBytes`, in the order of their keys. */
export function drained(rows: readonly Row[], pieceBytes: number): Buffer[] {
  for (const { integrationId, identity, email, place = 0 } of rows)
    run.add(integrationId, identity, email, place);
  return rows.length === 0 ? [] : Array.from(run.drain(pieceBytes), (piece) => Buffer.from(piece));
}

export function readerOf(pieces: Buffer[]): RunReader {
  let next = 0;
  return new RunReader(() => pieces[next++] ?? null);
}

/** Returns all rows of a reader. */
export function rowsIn(reader: RunReader): Row[] {
  const rows: Row[] = [];
  while (reader.next()) {
    const { integrationId, identity, email } = reader;
    rows.push({ integrationId, identity, email });
  }
  return rows;
}

/** The expected order: number, then bytes of UTF-8, then place in the upload. */
export function inKeyOrder<Kind extends Row>(rows: readonly Kind[]): Kind[] {
  return rows
    .map((row, place) => ({ row, place, bytes: Buffer.from(row.identity) }))
    .sort(
      (a, b) =>
        a.row.integrationId - b.row.integrationId || Buffer.compare(a.bytes, b.bytes) || a.place - b.place,
    )
    .map(({ row }) => row);
}

/** Pieces that form common prefixes of every length, and characters that UTF-8 and UTF-16 order differently. */
const parts = [
  'a',
  'b',
  'ab',
  'abcd',
  'abcde',
  'user1',
  ' x',
  '!',
  '~',
  'é',
  'ß',
  '漢',
  '\uD7FF',
  '\uE000',
  '\uFB00',
  '😀',
  '\u{10FFFF}',
];

export const identity = fc
  .oneof(
    { weight: 6, arbitrary: fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 6 }) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 3_000 }).map((n) => [`user${n}`]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...parts).map((part) => ['😀'.repeat(254), [...part].at(-1) as string]),
    },
  )
  .map((pieces) => pieces.join('').trim());

export const integrationId = fc.constantFrom(1, 2, 10, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER);

export const row: fc.Arbitrary<Row> = fc.record({
  integrationId,
  identity,
  email: fc.option(fc.constantFrom('a@b.c', 'é@b.c', `${'😀'.repeat(250)}@b.c`)),
});
