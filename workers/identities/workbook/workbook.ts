import { Readable } from 'node:stream';
import type { FileStore } from '../../../db/files/index.js';
import { FileError, type LineError, type ValueError } from '../record/errors.js';
import { columnIn, columnOf, nameOfColumn, rowIn, rowOf } from './cell-places.js';
import { readNumberFormats } from './number-formats.js';
import { readXml } from './read-xml.js';
import { RowText } from './row-text.js';
import { RichText, SharedStrings } from './shared-strings.js';
import { type CellParts, type RawCell, readCell } from './sheet-cells.js';
import { findParts, isTrue, type Sheet } from './workbook-parts.js';
import { type StoredWorkbook, ZipEntries } from './zip-entries.js';

export interface WorkbookOptions {
  /** The sheet to read. Default: the only one that is visible. */
  sheet?: string | undefined;
  /** How large the parts that are read may be together, decompressed. */
  maxBytes: number;
}

/** An error of a cell. */
export interface CellError extends ValueError {
  /** The column, from 0. */
  column: number;
}

/** Cells that are shown as one. Rows from 1, columns from 0. */
interface MergedCells {
  ref: string;
  rows: [first: number, last: number];
  columns: [first: number, last: number];
}

const MAX_MERGED = 100_000;
const MAX_LISTED = 100;
const CHUNK = 32 * 1024;

/**
 * A sheet of an Excel workbook as CSV with commas, a line for each of its rows, so line numbers are row numbers. What a cell is not certain
 * to show is an error, which counts if the upload reads the column of the cell. Can be iterated once.
 */
export class Workbook implements AsyncIterable<Buffer> {
  readonly #file: StoredWorkbook;
  readonly #options: WorkbookOptions;
  readonly #errors = new Map<number, CellError[]>();
  readonly #merged: MergedCells[] = [];
  #zip: ZipEntries | null = null;
  #sheet: Sheet | null = null;
  #sheets: string[] | null = null;
  #hiddenRows = 0;

  constructor(file: StoredWorkbook, options: WorkbookOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** How much of the file has been read, in bytes. */
  get position(): number {
    return this.#zip?.position ?? 0;
  }

  /** The names of the visible sheets, once they are known. */
  get sheets(): string[] | null {
    return this.#sheets;
  }

  /** The name of the sheet that is read, once it is chosen. */
  get sheet(): string | null {
    return this.#sheet?.name ?? null;
  }

  /** Returns the errors of the cells of a row, and forgets those of the rows up to it. */
  errorsAt(row: number): readonly CellError[] {
    const found = this.#errors.get(row) ?? [];
    for (const known of this.#errors.keys()) {
      if (known > row) break;
      this.#errors.delete(known);
    }
    return found;
  }

  /** Rows that a person who looks at the sheet does not see. Complete at the end. */
  get hiddenRows(): number {
    return this.#hiddenRows;
  }

  /**
   * Call at the end.
   * @param columns that the upload reads
   * @param after the row of the header
   * @throws FileError `merged_cells` if some of them are merged
   */
  requireUnmerged(columns: readonly number[], after: number): void {
    const merged = this.#merged.filter(
      ({ rows, columns: [first, last] }) =>
        rows[1] > after && columns.some((column) => column >= first && column <= last),
    );
    if (merged.length === 0) return;
    const errors = merged.slice(0, MAX_LISTED).map(({ ref, rows: [line] }): LineError => {
      const message = `the cells ${ref} of the sheet ${JSON.stringify(this.#sheet?.name)} are merged. Only the first one has a value`;
      return { line, field: null, code: 'merged_cells', message };
    });
    const [first] = errors;
    throw new FileError(
      'merged_cells',
      `${first?.message}. Unmerge them, and enter the value in each row`,
      errors,
      {
        errorCount: merged.length,
      },
    );
  }

  /** @throws FileError if the sheet cannot be read; errors of the store pass through */
  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const { maxBytes } = this.#options;
    const zip = await ZipEntries.open(this.#file, maxBytes);
    this.#zip = zip;
    try {
      const parts = await findParts(zip, notWorkbook);
      const sheet = this.#choose(parts.sheets);
      this.#sheet = sheet;
      const formats = parts.styles ? await readNumberFormats(zip, parts.styles) : [];
      const strings = parts.sharedStrings ? await SharedStrings.read(zip, parts.sharedStrings) : null;
      yield* this.#rows(zip, sheet, { formats, strings, lacksResults: parts.lacksResults });
    } finally {
      zip.close();
    }
  }

  #choose(sheets: readonly Sheet[]): Sheet {
    const names = sheets.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
    this.#sheets = names;
    const listed = `Its sheets are ${names
      .slice(0, MAX_LISTED)
      .map((name) => JSON.stringify(name))
      .join(', ')}`;
    const wanted = this.#options.sheet;
    if (wanted !== undefined) {
      const found = sheets.find(({ name }) => name === wanted);
      if (found) return found;
      throw new FileError('sheet_unknown', `the workbook has no sheet ${JSON.stringify(wanted)}. ${listed}`);
    }
    const [only, another] = sheets.filter(({ isHidden }) => !isHidden);
    if (!only) throw new FileError('sheet_unknown', 'the workbook has no visible sheet');
    if (another)
      throw new FileError(
        'sheet_missing',
        `the workbook has several sheets. ${listed}. Choose one with the option sheet`,
      );
    return only;
  }

  async *#rows(zip: ZipEntries, { name: sheet, part }: Sheet, parts: CellParts): AsyncGenerator<Buffer> {
    const rows = new RowText();
    const text = new RichText();
    let [row, lastColumn] = [0, -1];
    let cell: RawCell | null = null;
    let isValue = false;
    const handler = {
      isFull: () => rows.length >= CHUNK,
      open: (name: string, attributes: Readonly<Record<string, string>>) => {
        if (name === 'row') {
          row = rowOf(attributes.r, row);
          lastColumn = -1;
          if (isTrue(attributes.hidden)) this.#hiddenRows += 1;
          rows.start(row);
        } else if (name === 'c') {
          const column = columnOf(attributes.r, lastColumn);
          lastColumn = column;
          cell = {
            place: `${nameOfColumn(column)}${row}`,
            type: attributes.t ?? 'n',
            format: Number(attributes.s ?? 0),
            isFormula: false,
            value: null,
          };
        } else if (name === 'mergeCell') this.#addMerged(attributes.ref ?? '');
        else if (cell && name === 'f') cell.isFormula = true;
        else if (cell && name === 'v') {
          isValue = true;
          cell.value = '';
        } else if (cell) text.open(name);
      },
      text: (piece: string) => {
        if (cell && isValue) cell.value += piece;
        else text.add(piece);
      },
      close: (name: string) => {
        if (name === 'v') isValue = false;
        else if (cell && name === 'is') cell.value = text.take();
        else if (cell && name === 'c') {
          const read = readCell(cell, sheet, parts);
          if (read.error) this.#addError(row, { column: lastColumn, ...read.error });
          rows.add(lastColumn, read.text);
          cell = null;
        } else text.close(name);
      },
    };
    for await (const _ of readXml(part, zip.read(part), handler)) if (rows.length >= CHUNK) yield rows.take();
    rows.end();
    yield rows.take();
  }

  #addError(row: number, error: CellError): void {
    const errors = this.#errors.get(row);
    if (errors) errors.push(error);
    else this.#errors.set(row, [error]);
  }

  #addMerged(ref: string): void {
    const [from = '', to = from] = ref.split(':');
    const rows: MergedCells['rows'] = [rowIn(from), rowIn(to)];
    if (this.#merged.length < MAX_MERGED)
      this.#merged.push({ ref, rows, columns: [columnIn(from), columnIn(to)] });
  }
}

/** Returns a workbook in the file store. */
export const storedWorkbook = (files: FileStore, key: string, options: WorkbookOptions): Workbook =>
  new Workbook(
    { size: async () => (await files.stat(key))?.bytes ?? 0, read: (range) => files.read(key, range) },
    options,
  );

/** Returns a workbook in memory. */
export const workbookIn = (bytes: Buffer, options: WorkbookOptions): Workbook =>
  new Workbook(
    {
      size: async () => bytes.length,
      read: ({ start, end }) => Readable.from([bytes.subarray(start, end + 1)]),
    },
    options,
  );

const notWorkbook = (): FileError =>
  new FileError(
    'not_csv',
    'the file is a zip file, but not an Excel workbook (.xlsx). Save it as .xlsx or as CSV',
  );
