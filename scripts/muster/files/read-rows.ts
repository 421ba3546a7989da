import type { TableUploadParams } from '../../../workers/queues/contracts/table-upload.js';
import { KeyLines } from '../../../workers/tables/key-lines.js';
import { readUpload } from '../../../workers/tables/read-table.js';
import { TableDigest, type TableShape } from '../../../workers/tables/table-digest.js';
import type { LocalTable } from './local-tables.js';

/** As uploads are limited by default. */
const MAX_ROWS = 1_000_000;
const MAX_BYTES = 1024 * 1024 * 1024;
/** Rows of a file whose errors are reported. */
const MAX_ERRORS = 20;

/** The rows of a table as an upload would store them. */
export interface ReadRows extends TableShape {
  lengths: readonly number[];
  /** By the hash of their key in hexadecimal, in their order. */
  cellsByHash: ReadonlyMap<string, string>;
  /** As the server has it of its active revision. */
  digest: string;
}

/**
 * Reads a CSV file by the rules of an upload. Returns null if that would reject rows.
 * @throws FileError
 */
export async function readRows(
  bytes: Buffer,
  { name, key, matching }: LocalTable['content'],
  report: (code: string, message: string, line?: number) => void,
): Promise<ReadRows | null> {
  const params: TableUploadParams = {
    version: 1,
    table: name,
    mode: 'replace',
    keyName: '',
    format: 'csv',
    matching,
    ...(key ? { key } : {}),
    onError: 'continue',
    bytes: bytes.length,
    maxBytes: MAX_BYTES,
    maxRows: MAX_ROWS,
    dryRun: false,
  };
  const reading = readUpload(once(bytes), params, new KeyLines());
  const cellsByHash = new Map<string, string>();
  let errors = 0;
  for await (const { records, rejected } of reading) {
    for (const { keyHash, cells } of records) cellsByHash.set(keyHash.toString('hex'), cells);
    for (const { line, errors: found } of rejected)
      for (const { field, code, message } of found) {
        errors += 1;
        if (errors <= MAX_ERRORS) report(code, field ? `${field}: ${message}` : message, line);
      }
  }
  if (errors > 0) return null;
  const shape = { matching, columns: [...reading.columns], keyColumns: [...reading.keyColumns] };
  const digest = new TableDigest(cellsByHash.size);
  [...cellsByHash.values()].forEach((cells, position) => {
    digest.add({ position, cells });
  });
  return {
    ...shape,
    lengths: reading.rows.lengths,
    cellsByHash,
    digest: digest.of(shape, cellsByHash.size).toString('hex'),
  };
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
