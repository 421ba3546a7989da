import type { Bytes } from '../identities/decode/source.js';
import { MAX_BATCH_CHARS } from '../identities/parse/collect-rows.js';
import type { CsvBatch } from '../identities/parse/read-csv.js';
import { FileError, type RowError } from '../identities/record/errors.js';
import { JsonArraySplitter, type JsonElement } from '../identities/record/json-array.js';
import { JsonArrayError } from '../identities/record/json-array-error.js';
import { MAX_ELEMENT_BYTES, MAX_ELEMENT_VALUES, parseElement } from '../identities/record/json-element.js';
import { jsonMembers } from '../identities/record/json-members.js';
import { pacer } from '../run/pace.js';
import { checkColumns, type TableRow, type TableRows } from './table-rows.js';

interface JsonTable {
  rows: TableRows;
  /** The columns so far: the members of the objects, in the order in which they first occur. */
  columns: string[];
  /** Default: the first member of the first object. */
  keyNames: readonly string[] | undefined;
  maxRows: number;
  batchRows: number;
}

/** Yields the rows of a JSON array of objects. The `line` of a row is its index in the array. @throws FileError if the rest cannot be read */
export async function* readJsonTable(source: Bytes, table: JsonTable): AsyncGenerator<CsvBatch<TableRow>> {
  const splitter = new JsonArraySplitter();
  const pause = pacer();
  const empty = (): CsvBatch<TableRow> => ({
    records: [],
    lines: [],
    rejected: [],
    next: null,
    bytesRead: 0,
  });
  let batch = empty();
  let chars = 0;
  let bytesRead = 0;
  let tooLarge = 0;
  try {
    for await (const chunk of source) {
      bytesRead += chunk.length;
      for (const element of splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))) {
        takeElement(element, table, batch);
        if (element.text === null) tooLarge += 1;
        chars += element.text?.length ?? 0;
        if (batch.records.length + batch.rejected.length < table.batchRows && chars < MAX_BATCH_CHARS)
          continue;
        yield { ...batch, bytesRead };
        batch = empty();
        chars = 0;
        await pause();
      }
    }
    splitter.finish();
  } catch (error) {
    throw error instanceof JsonArrayError ? new FileError(error.code, notAnArray(error)) : error;
  }
  if (table.columns.length === 0 && tooLarge === 0)
    throw new FileError('empty_file', 'the array has no object with a member');
  yield { ...batch, bytesRead };
}

const notAnArray = ({ code, line, column }: JsonArrayError): string =>
  code === 'not_an_array'
    ? 'the body must be a JSON array of objects'
    : `it is not a JSON array at line ${line}, column ${column}`;

function takeElement(element: JsonElement, table: JsonTable, batch: CsvBatch<TableRow>): void {
  const { index, text } = element;
  if (index >= table.maxRows)
    throw new FileError('too_many_rows', `the array has more than ${table.maxRows} objects`);
  const checked = text === null ? [TOO_LARGE] : checkElement(element, text, table);
  if (Array.isArray(checked))
    batch.rejected.push({ line: index, cells: [], original: text ?? '', errors: checked });
  else {
    batch.records.push(checked);
    batch.lines.push(index);
  }
}

const TOO_LARGE: RowError = {
  field: null,
  code: 'record_too_large',
  message: `must have at most ${MAX_ELEMENT_BYTES} bytes and ${MAX_ELEMENT_VALUES} values`,
};

function checkElement(element: JsonElement, text: string, table: JsonTable): TableRow | RowError[] {
  const value = parseElement(text, element);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [{ field: null, code: 'invalid_type', message: 'must be an object' }];
  const { columns, rows } = table;
  const cells: string[] = [];
  const errors: RowError[] = [];
  const seen = new Set<string>();
  for (const { name: sent, literal } of jsonMembers(text)) {
    const name = sent.trim().normalize('NFC');
    const at = placeOf(name, columns);
    if (seen.has(name))
      errors.push({
        field: name.slice(0, 100),
        code: 'duplicate_key',
        message: 'appears more than once in this object',
      });
    seen.add(name);
    const cell = toCell(literal);
    if (cell === null)
      errors.push({
        field: name,
        code: 'invalid_type',
        message: 'must be a text, a number, true, false or null',
      });
    cells[at] = cell ?? '';
  }
  if (errors.length > 0) return errors;
  const all = Array.from({ length: columns.length }, (_, at) => cells[at] ?? '');
  return rows.check(all, element.index, { columns, keyColumns: keyPlaces(table) });
}

/** Returns the index of a column, which it adds if it is new. @throws FileError as `checkColumns` */
function placeOf(name: string, columns: string[]): number {
  const at = columns.indexOf(name);
  if (at >= 0) return at;
  columns.push(name);
  checkColumns(columns);
  return columns.length - 1;
}

function keyPlaces({ columns, keyNames }: JsonTable): number[] {
  if (!keyNames) return [0];
  // A row that does not name its key is missing it.
  return keyNames.map((name) => placeOf(name, columns));
}

/** Returns the text of a member; null for an array or an object. A number stays as it is written. */
function toCell(literal: string): string | null {
  if (literal === '') return null;
  if (literal.startsWith('"')) return JSON.parse(literal);
  return literal === 'null' ? '' : literal;
}
