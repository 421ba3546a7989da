import { pacer } from '../../run/pace.js';
import { isZip } from '../../text/file-formats.js';
import { showCell } from '../decode/byte-text.js';
import { gunzipped } from '../decode/gunzip.js';
import type { Meter } from '../decode/source.js';
import { FIELDS, type FieldName } from '../header/column-names.js';
import { type ColumnChoice, MAX_LISTED, toCandidate } from '../header/find-columns.js';
import { type Header, readNames, toHeader } from '../header/header.js';
import { headerWarnings } from '../header/header-warnings.js';
import { noRowsError } from '../header/preamble.js';
import { cut } from '../header/quote-name.js';
import { openSheet, openText } from '../parse/open-csv.js';
import { type CsvOptions, feed } from '../parse/read-csv.js';
import { RecordSplitter } from '../parse/split-records.js';
import { FileError } from '../record/errors.js';
import { type Workbook, workbookIn } from '../workbook/workbook.js';
import { PreviewedRows, type RowsPreview } from './previewed-rows.js';

/** The bytes of a file that a preview reads, before and after decompression. A header record has at most 64 KiB. */
export const PREVIEW_MAX_BYTES = 128 * 1024;
/** The most bytes of a workbook, of which a preview needs all: its directory is at the end. */
export const WORKBOOK_PREVIEW_BYTES = 8 * 1024 * 1024;
/** The same, decompressed. */
const WORKBOOK_MAX_BYTES = 64 * 1024 * 1024;
const SAMPLES = 3;
const MAX_SAMPLE = 80;
/** More bytes of a cell than a sample can have. A cell that is cut within a character shows it as undecodable. */
const MAX_BYTES = 2_000;

interface PreviewOptions extends Pick<CsvOptions, 'charset' | 'integrationIds' | 'keepsLost'> {
  choice: ColumnChoice;
  /** The sheet of a workbook. */
  sheet?: string | undefined;
  /** Whether the bytes are the complete file. Otherwise the row at their end is left out. */
  isComplete: boolean;
}

interface PreviewedColumn {
  /** The header's cell, at most 255 characters. */
  name: string;
  /** The field that is read from the column; null if none is, or if the header is not understood. */
  field: FieldName | null;
  /** The field that the column may contain, by its name. */
  candidate: FieldName | null;
  /** Its first different values, cut. */
  samples: string[];
}

/** The start of a file as an upload reads it. */
export interface CsvPreview extends RowsPreview {
  isGzip: boolean;
  /** The visible sheets of a workbook, and the one that was read; null for other files. */
  sheets: string[] | null;
  sheet: string | null;
  /** Null for a workbook, and if the file is rejected before it is known. */
  charset: string | null;
  delimiter: string | null;
  /** The first 100 columns, and the number of all. */
  columns: PreviewedColumn[];
  columnCount: number;
  /** Warnings about the header and the rows that were checked, as an upload reports them. */
  warnings: { code: string; message: string; count?: number }[];
  /** Why an upload would reject the file as a whole; null if the bytes show no reason. */
  error: FileError | null;
}

/**
 * Reads the start of a CSV file, or of a sheet, by the rules of an upload.
 *
 * @param bytes at most {@link PREVIEW_MAX_BYTES} of the file, plain or gzip, or a complete workbook
 */
export async function previewCsv(bytes: Buffer, options: PreviewOptions): Promise<CsvPreview> {
  const preview: CsvPreview = {
    isGzip: false,
    sheets: null,
    sheet: null,
    charset: null,
    delimiter: null,
    columns: [],
    columnCount: 0,
    warnings: [],
    error: null,
    ...new PreviewedRows(null).result(),
  };
  try {
    await readInto(preview, bytes, options);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    // An upload stops at the header's error, so a later one does not replace it.
    preview.error ??= error;
  }
  return preview;
}

async function readInto(preview: CsvPreview, bytes: Buffer, options: PreviewOptions): Promise<void> {
  const { charset, choice } = options;
  const meter: Meter = { bytes: 0, isGzip: false, decompressed: 0 };
  const workbook = isZip(bytes) ? openWorkbook(bytes, options) : null;
  const content = workbook ?? gunzipped(only(bytes), meter, !options.isComplete);
  const start = await readStart(content, options.isComplete).finally(() => {
    preview.isGzip = meter.isGzip;
    preview.sheets = workbook?.sheets ?? null;
    preview.sheet = workbook?.sheet ?? null;
  });
  const text = await (workbook
    ? openSheet(only(start.bytes), charset)
    : openText(only(start.bytes), charset));
  const named = readNames(text.record, choice);
  const { delimiter, names } = named;
  let header: Header | null = null;
  try {
    header = toHeader(text.record, named, choice);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    preview.error = error;
  }
  const samples = new ColumnSamples(Math.min(names.length, MAX_LISTED));
  const rows = new PreviewedRows(header, options, workbook);
  const warnings = header ? headerWarnings(header) : [];
  const format = workbook ? {} : { charset: text.encoding, delimiter };
  Object.assign(preview, { ...format, columnCount: names.length, warnings });
  try {
    const splitter = new RecordSplitter(delimiter, text.bodyLine, (cells, line, rowError) => {
      if (rows.isFull) return;
      samples.take(cells);
      rows.take(cells, line, rowError);
    });
    const pause = pacer();
    for await (const piece of text.body) {
      feed(splitter, piece);
      if (rows.isFull) return;
      await pause();
    }
    if (start.isComplete) splitter.end();
    if (header && start.isComplete && rows.count === 0) throw noRowsError(text.bodyLine);
  } finally {
    preview.columns = names.slice(0, MAX_LISTED).map((name, index) => {
      const { column, field: candidate } = toCandidate(name);
      const field = FIELDS.find((one) => header?.columns[one]?.index === index) ?? null;
      return { name: column, field, candidate, samples: samples.of(index) };
    });
    Object.assign(preview, rows.result(), { warnings: [...warnings, ...rows.warnings()] });
  }
}

/** Returns the decompressed start of the file, and whether it is the complete file. */
async function readStart(content: AsyncIterable<Buffer>, isComplete: boolean) {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of content) {
    parts.push(part);
    length += part.length;
    if (length > PREVIEW_MAX_BYTES) break;
  }
  const start = Buffer.concat(parts).subarray(0, PREVIEW_MAX_BYTES);
  return { bytes: start, isComplete: isComplete && length <= PREVIEW_MAX_BYTES };
}

function openWorkbook(bytes: Buffer, { sheet, isComplete }: PreviewOptions): Workbook {
  if (!isComplete)
    throw new FileError(
      'workbook_incomplete',
      'the start of a workbook cannot be read. Send the complete file',
    );
  return workbookIn(bytes, { sheet, maxBytes: WORKBOOK_MAX_BYTES });
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Collects the first different values of each column. */
class ColumnSamples {
  readonly #values: Set<string>[];

  /** @param width the number of columns, from the first on */
  constructor(width: number) {
    this.#values = Array.from({ length: width }, () => new Set());
  }

  /** @param cells byte strings (see `byte-text.ts`) */
  take(cells: readonly string[]): void {
    cells.slice(0, this.#values.length).forEach((cell, index) => {
      const values = this.#values[index];
      if (!values || values.size === SAMPLES || cell === '') return;
      const value = showCell(cell.slice(0, MAX_BYTES)).trim();
      if (value !== '') values.add(cut(value, MAX_SAMPLE));
    });
  }

  of(index: number): string[] {
    return [...(this.#values[index] ?? [])];
  }
}
