import { textOf } from '../identities/decode/byte-text.js';
import type { Bytes } from '../identities/decode/source.js';
import { checkCells, textKind, valueIn } from '../identities/parse/check-row.js';
import { noTableRowError } from '../identities/parse/no-row.js';
import { type CsvBatch, type FileWarning, readTable } from '../identities/parse/read-csv.js';
import type { RowError } from '../identities/record/errors.js';
import type { TableUploadParams } from '../queues/contracts/table-upload.js';
import { KeyLines } from './key-lines.js';
import { readJsonTable } from './read-json-table.js';
import { checkColumns, type TableRow, TableRows } from './table-rows.js';

/** Rows of a batch. The write pass stores one in a transaction. */
const BATCH_ROWS = 2_000;

/** One reading of an upload from start to end. All readings of an upload yield the same batches. */
export interface TableReading extends AsyncIterable<CsvBatch<TableRow>> {
  readonly rows: TableRows;
  /** The names of the columns that have been read, complete at the end. */
  readonly columns: readonly string[];
  readonly keyColumns: readonly string[];
  /** Complete at the end. */
  readonly warnings: readonly FileWarning[];
}

/**
 * Reads an upload of a table, a CSV file by the rules of an upload of identities, or a JSON array of objects.
 * @param keys those of its other readings, if there are any: the keys of a million rows take 40 MB
 * @throws FileError, while iterating
 */
export function readUpload(
  source: Bytes,
  params: TableUploadParams,
  keys: KeyLines = new KeyLines(),
): TableReading {
  const { matching, damaged, format, key, maxRows } = params;
  const place = format === 'json' ? 'index' : 'line';
  const rows = new TableRows({ matching, keepsLost: damaged === 'keep', place }, keys);
  if (format === 'csv') return readCsvTable(source, params, rows);
  const columns: string[] = [];
  const batches = readJsonTable(source, { rows, columns, keyNames: key, maxRows, batchRows: BATCH_ROWS });
  return {
    rows,
    columns,
    get keyColumns() {
      return key ?? columns.slice(0, 1);
    },
    warnings: [],
    [Symbol.asyncIterator]: () => batches,
  };
}

function readCsvTable(source: Bytes, params: TableUploadParams, rows: TableRows): TableReading {
  const { key, mode, damaged, charset, expectedRows, onError, maxBytes, maxRows } = params;
  let columns: string[] = [];
  let keyColumns: string[] = [];
  const choice = {
    reads: { required: key ?? [], all: true },
    columns: Object.fromEntries((key ?? []).map((name) => [name, name])),
  };
  const limits = { maxBytes, maxRows };
  const rejectLongRows = onError === 'continue';
  const reading = readTable(
    source,
    { charset, choice, limits, expectedRows, rejectLongRows, batchRows: BATCH_ROWS },
    (header, notes) => {
      columns = (header.names ?? []).map((name) => name.normalize('NFC'));
      checkColumns(columns);
      const places = key ? key.map((name) => header.columns[name]?.index ?? 0) : [0];
      keyColumns = places.map((at) => columns[at] ?? '');
      const hasOthers = mode === 'merge' && columns.length > places.length;
      const all = columns.map((name, index) => ({ index, name, escaped: false }));
      return (cells, line) => {
        const text = textKind(cells);
        const noRow = damaged === 'keep' ? null : noTableRowError(cells, columns);
        if (noRow) return [{ field: null, ...noRow }];
        const unreadable = checkCells(cells, line, header, text, { keepsLost: true, notes });
        if (unreadable) return unreadable;
        const unnamed = cells.findIndex((cell, at) => at >= columns.length && cell.trim() !== '');
        if (unnamed >= 0) return [valueWithoutColumn(unnamed)];
        const values = all.map((column) => valueIn(cells, column, text));
        if (text !== 'plain')
          for (const { index, name } of all) {
            const sent = textOf(cells[index] ?? '');
            if (sent !== values[index]) notes.add('padding_removed', line, `${name} ${JSON.stringify(sent)}`);
          }
        const isKeyOnly = values.every((value, at) => value.trim() === '' || places.includes(at));
        if (hasOthers && isKeyOnly && places.every((at) => values[at]?.trim())) {
          notes.add('keys_only', line, places.map((at) => JSON.stringify(values[at])).join(', '));
          return null;
        }
        return rows.check(values, line, { columns, keyColumns: places });
      };
    },
    ({ cells }) => cells.length,
  );
  return {
    rows,
    get columns() {
      return columns;
    },
    get keyColumns() {
      return keyColumns;
    },
    warnings: reading.warnings,
    [Symbol.asyncIterator]: () => reading[Symbol.asyncIterator](),
  };
}

const valueWithoutColumn = (at: number): RowError => ({
  field: null,
  code: 'column_unnamed',
  message: `column ${at + 1} has a value here, but no name in the header`,
});
