import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IdentityRecord } from '../queues/identity-record.js';
import { checkRow, type RefusedRow, type RowError, refuse, undecodable } from './check-row.js';
import { openDecoder } from './decode.js';
import { FileFault, faultAtLine } from './file-fault.js';
import { gunzipped } from './gunzip.js';
import { type Header, readHeader } from './header.js';
import { emptyFile, readPreamble } from './preamble.js';
import { describeNul, refuseOtherFormats } from './sniff.js';
import { type Bytes, limited, type Meter, metered, splitHead } from './source.js';
import { type RecordFault, RecordSplitter } from './split-records.js';

export type { RefusedRow, RowError } from './check-row.js';
export { FileFault, type LineError } from './file-fault.js';

export interface CsvOptions {
  /** As the client declared it; without it UTF-8, or what the byte order mark says. */
  charset?: string | undefined;
  /** Whether the source is gzip; without it the content tells. */
  gzip?: boolean | undefined;
  limits: { maxBytes: number; maxRows: number };
  /** Rows of a batch, good and refused, 1000 if not said. */
  batchRows?: number | undefined;
}

export interface CsvBatch {
  records: IdentityRecord[];
  /** Physical line, from 1, where each record starts; same index as `records`. */
  lines: number[];
  refused: RefusedRow[];
  /** Bytes taken from the source so far, as they came (compressed, if they were). */
  bytesRead: number;
}

export interface Warning {
  code: string;
  message: string;
}

export interface CsvReading extends AsyncIterable<CsvBatch> {
  /** Filled when the header is read, so complete with the first batch. */
  readonly warnings: Warning[];
}

const HEAD_BYTES = 64 * 1024;
/** About 1,300 rows of 50 bytes, or 2 ms. */
const PIECE_BYTES = 64 * 1024;
const HOLD_MS = 10;

/**
 * Reads identity records from a CSV file in a fixed amount of memory.
 *
 * @throws FileFault, while iterating, when the file as a whole is refused; the source's own errors pass through
 */
export function readCsv(source: Bytes, options: CsvOptions): CsvReading {
  const warnings: Warning[] = [];
  const batches = readBatches(source, options, warnings);
  return { warnings, [Symbol.asyncIterator]: () => batches };
}

async function* readBatches(
  source: Bytes,
  options: CsvOptions,
  warnings: Warning[],
): AsyncGenerator<CsvBatch> {
  const meter: Meter = { bytes: 0 };
  const plain = limited(gunzipped(metered(source, meter), options.gzip), options.limits.maxBytes);
  const { head, whole, rest } = await splitHead(plain, HEAD_BYTES);
  refuseOtherFormats(head);
  const { decoder, skip } = openDecoder(head, options.charset);
  let text = decoder.write(head.subarray(skip));
  if (whole) text = Buffer.concat([text, decoder.end()]);
  if (text.includes(0) && describeNul(head).includes('UTF-16'))
    throw new FileFault('not_csv', describeNul(head));
  const preamble = readPreamble(text, whole);
  const header = readHeader(preamble.header, preamble.headerLine, preamble.delimiter);
  warnings.push(...warningsOf(header));
  const rows = new RowCollector(header, preamble.bodyLine, options, meter);
  let lastTurn = performance.now();
  const breathe = async () => {
    if (performance.now() - lastTurn < HOLD_MS) return;
    await nextTurn();
    lastTurn = performance.now();
  };
  for (const piece of piecesOf(text.subarray(preamble.bodyStart))) {
    yield* rows.write(piece);
    await breathe();
  }
  if (!whole) {
    for await (const chunk of rest) {
      for (const part of piecesOf(chunk)) {
        yield* rows.write(decoder.write(part));
        await breathe();
      }
    }
    yield* rows.write(decoder.end());
  }
  yield* rows.end();
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

class RowCollector {
  readonly #header: Header;
  readonly #splitter: RecordSplitter;
  readonly #meter: Meter;
  readonly #batchRows: number;
  readonly #maxRows: number;
  #rows = 0;
  #batch: CsvBatch;
  #ready: CsvBatch[] = [];

  constructor(header: Header, firstLine: number, options: CsvOptions, meter: Meter) {
    this.#header = header;
    this.#meter = meter;
    this.#batchRows = options.batchRows ?? 1000;
    this.#maxRows = options.limits.maxRows;
    this.#batch = this.#newBatch();
    this.#splitter = new RecordSplitter(header.delimiter, firstLine, (cells, line, fault) =>
      this.#take(cells, line, fault),
    );
  }

  *write(piece: Buffer): Generator<CsvBatch> {
    const nul = piece.indexOf(0);
    this.#splitter.write(nul === -1 ? piece : piece.subarray(0, nul));
    if (nul !== -1) throw faultAtLine('nul_byte', this.#splitter.lineAtEnd(), describeNul(piece));
    yield* this.#drain();
  }

  *end(): Generator<CsvBatch> {
    this.#splitter.end();
    if (this.#rows === 0) throw emptyFile('the file has a header and no rows');
    if (this.#batch.records.length + this.#batch.refused.length > 0) this.#close();
    yield* this.#drain();
  }

  #take(cells: string[], line: number, fault: RecordFault | null): void {
    if (++this.#rows > this.#maxRows) {
      throw faultAtLine('too_many_rows', line, `the file has more than ${this.#maxRows} rows`);
    }
    const checked = fault ? [{ field: null, ...fault }] : this.#check(cells);
    if (Array.isArray(checked)) this.#batch.refused.push(refuse(line, cells, checked, this.#header));
    else {
      this.#batch.records.push(checked);
      this.#batch.lines.push(line);
    }
    if (this.#batch.records.length + this.#batch.refused.length >= this.#batchRows) this.#close();
  }

  #check(cells: string[]): IdentityRecord | RowError[] {
    const bad = undecodable(cells, this.#header);
    return bad.length > 0 ? bad : checkRow(cells, this.#header);
  }

  #newBatch(): CsvBatch {
    return { records: [], lines: [], refused: [], bytesRead: 0 };
  }

  #close(): void {
    this.#batch.bytesRead = this.#meter.bytes;
    this.#ready.push(this.#batch);
    this.#batch = this.#newBatch();
  }

  *#drain(): Generator<CsvBatch> {
    yield* this.#ready.splice(0);
  }
}

function warningsOf(header: Header): Warning[] {
  if (header.extra.length === 0) return [];
  const shown = header.extra.slice(0, 20).map((name) => JSON.stringify(name));
  return [{ code: 'extra_columns', message: `columns that are not read: ${shown.join(', ')}` }];
}
