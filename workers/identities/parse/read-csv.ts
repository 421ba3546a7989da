import { pacer } from '../../run/pace.js';
import { counted, wholeNumber } from '../../text/quantities.js';
import { gunzipped } from '../decode/gunzip.js';
import { nulByte } from '../decode/sniff.js';
import { type Bytes, bytesRead, limited, type Meter, metered } from '../decode/source.js';
import type { ColumnChoice } from '../header/find-columns.js';
import { type Header, readHeader } from '../header/header.js';
import { headerWarnings } from '../header/header-warnings.js';
import { noRowsError } from '../header/preamble.js';
import { FileError } from '../record/errors.js';
import type { IdentityRecord } from '../record/identity-record.js';
import { RowNotes } from '../record/row-notes.js';
import type { Workbook } from '../workbook/workbook.js';
import { indexesOf, withCellErrors } from './cell-errors.js';
import { allowedIn, checkRow } from './check-row.js';
import { BatchCollector, type CheckRow, type Rows } from './collect-rows.js';
import { type OpenCsv, openSheet, openText, type ReadPoint, reopenCsv } from './open-csv.js';
import { MAX_RECORD_BYTES, RecordSplitter } from './split-records.js';

export interface CsvOptions {
  /** As the client declared it. Default: UTF-8, or what the byte order mark says. */
  charset?: string | undefined;
  /** What the client says about the columns. Default: all fields are in columns with known names. */
  choice?: ColumnChoice | undefined;
  /** The only account systems that rows may name. Default: any. */
  integrationIds?: ReadonlySet<number> | undefined;
  /** Whether values that a spreadsheet lost are accepted as identities. */
  keepsLost?: boolean | undefined;
  /** Bytes are counted after decompression; rows include rejected ones. There may be as many blank lines as rows. */
  limits: { maxBytes: number; maxRows: number };
  /** How many rows the file has according to the client. Another number rejects the file. */
  expectedRows?: number | undefined;
  /** Rows per batch, valid and rejected. Default: 1000. */
  batchRows?: number | undefined;
  /** Whether a row of more than 1 MiB is rejected like any other. Otherwise such a row ends the reading. */
  rejectLongRows?: boolean | undefined;
  /** Where to resume a file, with the same limits and batch size. The source then starts at that point. */
  from?: ReadPoint | undefined;
  /**
   * Called once the header has been read, before any row; not called with `from`. An error that it throws ends the
   * reading.
   */
  onHeader?: ((header: Header) => Promise<void>) | undefined;
  /**
   * Called every few KiB, whether or not they contain rows, with `bytesRead` as in a batch. An error that it throws
   * ends the reading.
   */
  onProgress?: ((bytesRead: number) => void) | undefined;
}

export interface CsvBatch<Value = IdentityRecord> extends Rows<Value> {
  /** Bytes that were read from the source so far, before decompression. */
  bytesRead: number;
}

export interface FileWarning {
  code: string;
  message: string;
  count?: number;
}

/** A CSV file, or a workbook of which a sheet is read. */
export type Source = Bytes | Workbook;

/** Can be iterated once. */
export interface CsvReading<Value = IdentityRecord> extends AsyncIterable<CsvBatch<Value>> {
  /** Warnings about the header are there with the first batch, all others at the end of the reading. */
  readonly warnings: FileWarning[];
}

/**
 * Reads identity records from a CSV file, with constant memory and without blocking the event loop. The batches
 * depend on the file's content alone, not on how it is cut into chunks.
 *
 * @throws FileError, while iterating, if the file as a whole is rejected; errors of the source pass through
 */
export function readCsv(source: Source, options: CsvOptions): CsvReading {
  const { keepsLost = false } = options;
  const allowed = allowedIn(options);
  return readTable(source, options, (header, notes) => {
    const rules = { allowed: allowed.allowed, outside: allowed.outside, keepsLost, notes };
    return (cells, line) => checkRow(cells, line, header, rules);
  });
}

/** Returns the check of the rows of a file. */
export type ChecksOf<Value> = (header: Header, notes: RowNotes) => CheckRow<Value>;

/** Reads a CSV file of any columns like {@link readCsv}. With `sizeOf`, the characters of a row, large rows make small batches. */
export function readTable<Value>(
  source: Source,
  options: CsvOptions,
  checksOf: ChecksOf<Value>,
  sizeOf?: (value: Value) => number,
): CsvReading<Value> {
  const warnings: FileWarning[] = [];
  const batches = readBatches(source, options, { warnings, checksOf, sizeOf });
  return { warnings, [Symbol.asyncIterator]: () => batches };
}

type Table<Value> = {
  warnings: FileWarning[];
  checksOf: ChecksOf<Value>;
  sizeOf: ((value: Value) => number) | undefined;
};

/** What is read, and how far. */
interface Input {
  meter: Meter;
  workbook: Workbook | null;
  /** Returns how many bytes of the upload have been read. */
  position: () => number;
}

async function* readBatches<Value>(
  source: Source,
  options: CsvOptions,
  table: Table<Value>,
): AsyncGenerator<CsvBatch<Value>> {
  const { charset, choice = {}, limits, from, onHeader } = options;
  const before = from?.offset ?? 0;
  const meter: Meter = { bytes: before, isGzip: false, decompressed: 0 };
  const workbook = 'errorsAt' in source ? source : null;
  const input = metered(source, meter);
  const bytes = limited(from || workbook ? input : gunzipped(input, meter), limits.maxBytes, before);
  const position = () => workbook?.position ?? bytesRead(meter);
  try {
    let csv: OpenCsv;
    if (from) csv = reopenCsv(bytes, from);
    else {
      const { record, ...text } = await (workbook ? openSheet(bytes, charset) : openText(bytes, charset));
      csv = { ...text, header: readHeader(record, choice) };
      await onHeader?.(csv.header);
    }
    table.warnings.push(...headerWarnings(csv.header));
    for await (const rows of readRows(csv, { ...options, ...table, meter, workbook, position }))
      yield { ...rows, bytesRead: position() };
  } finally {
    await bytes.return(undefined);
    await input.return(undefined);
  }
}

async function* readRows<Value>(
  { header, body, bodyLine, bodyOffset, decoder }: OpenCsv,
  { meter, workbook, position, warnings, checksOf, sizeOf, ...options }: CsvOptions & Table<Value> & Input,
): AsyncGenerator<Rows<Value>> {
  const { limits, expectedRows, batchRows = 1000, from, onProgress, rejectLongRows } = options;
  const notes = new RowNotes('line', from?.notes);
  const next = (): ReadPoint | null => {
    if (workbook || meter.isGzip || !decoder.isVerbatim) return null;
    const { offset, line } = splitter.next;
    return { offset: bodyOffset + offset, line, ...rows.counts, notes: notes.state(), header };
  };
  const rows = new BatchCollector(header, {
    maxRows: limits.maxRows,
    batchRows,
    check: withCellErrors(workbook, header, checksOf(header, notes)),
    sizeOf,
    before: from,
    next,
    record: () => splitter.record,
  });
  const splitter = new RecordSplitter(header.delimiter, bodyLine, rows.take.bind(rows), {
    onBlankLine: rows.skip.bind(rows),
    rejectOver: rejectLongRows ? MAX_RECORD_BYTES : undefined,
  });
  const pause = pacer();
  try {
    for await (const piece of body) {
      feed(splitter, piece);
      yield* rows.full();
      onProgress?.(position());
      await pause();
    }
    splitter.end();
    const found = rows.counts.rows;
    if (found === 0) throw noRowsError(bodyLine);
    workbook?.requireUnmerged(indexesOf(header), bodyLine - 1);
    if (expectedRows !== undefined && found !== expectedRows) throw wrongRowCount(found, expectedRows);
  } catch (error) {
    // Which batches come before an error must not depend on the chunks either.
    yield* rows.full();
    throw error;
  }
  const { emptyRows } = rows.counts;
  warnings.push(...emptyRowsWarning(emptyRows), ...hiddenRowsWarning(workbook), ...notes.warnings());
  yield* rows.rest();
}

function wrongRowCount(found: number, expected: number): FileError {
  const message = `the file has ${counted(found, 'row')}, but expectedRows is ${wholeNumber(expected)}`;
  return new FileError('row_count_mismatch', found < expected ? `${message}. It may be incomplete` : message);
}

/**
 * Feeds a piece of text to a splitter.
 *
 * @throws FileError `nul_byte`, and as `RecordSplitter`
 */
export function feed(splitter: RecordSplitter, piece: Buffer): void {
  const nul = piece.indexOf(0);
  splitter.write(nul === -1 ? piece : piece.subarray(0, nul));
  if (nul !== -1) throw nulByte(splitter.lineAtEnd());
}

function hiddenRowsWarning(workbook: Workbook | null): FileWarning[] {
  const count = workbook?.hiddenRows ?? 0;
  if (count === 0) return [];
  const what =
    count === 1 ? '1 row is hidden in the sheet, and was' : `${count} rows are hidden in the sheet, and were`;
  return [{ code: 'hidden_rows', message: `${what} read like the others`, count }];
}

function emptyRowsWarning(count: number): FileWarning[] {
  if (count === 0) return [];
  const what = count === 1 ? '1 row without any value was' : `${count} rows without any value were`;
  return [{ code: 'empty_rows', message: `${what} skipped`, count }];
}
