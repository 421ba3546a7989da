import { GlobPatterns } from '../../../db/lookups/glob-patterns.js';
import { hashesOfMatches } from '../../../db/lookups/lookup-keys.js';
import { toRow } from '../../../db/lookups/lookup-rows.js';
import { FileError } from '../../../workers/identities/record/errors.js';
import type { LookupRow } from '../../../workers/mapping/index.js';
import type { TableUploadParams } from '../../../workers/queues/contracts/table-upload.js';
import { KeyLines } from '../../../workers/tables/key-lines.js';
import { readUpload } from '../../../workers/tables/read-table.js';
import { FileProblem } from '../files/folder.js';
import type { Directory } from '../files/read-directory.js';
import type { TableFileContent } from '../files/table-schema.js';
import { type Finding, START } from '../finding.js';

/** As uploads are limited by default. */
const MAX_ROWS = 1_000_000;
const MAX_BYTES = 1024 * 1024 * 1024;
/** Rows of a file whose errors are reported. */
const MAX_ERRORS = 20;

/** A lookup table of a folder. */
export interface LocalTable {
  find(key: string): LookupRow | null;
}

/** Reads the tables of a folder: those that a file describes, and `tables/NAME.csv` by itself. */
export async function readTables({ folder, tables }: Directory): Promise<{
  tables: ReadonlyMap<string, LocalTable>;
  findings: Finding[];
}> {
  const described = tables.flatMap(({ path, content }) =>
    content ? [{ ...content, csv: folder.pathFrom(path, content.file ?? `${content.name}.csv`) }] : [],
  );
  const files = new Set(described.map(({ csv }) => csv));
  const alone = folder
    .filesIn('tables')
    .filter((path) => !files.has(path))
    .flatMap((csv) => {
      const name = /^tables\/([a-z0-9][a-z0-9_-]{0,63})\.csv$/.exec(csv)?.[1];
      return name === undefined ? [] : [{ name, csv, matching: 'exact' as const, key: undefined }];
    });
  const findings: Finding[] = [];
  const known = new Map<string, LocalTable>();
  for (const { csv, ...table } of [...described, ...alone]) {
    const report = (code: string, message: string, line = 1) =>
      findings.push({ ...START, line, level: 'error', code, file: csv, message });
    try {
      const read = await readTable(folder.read(csv), table, report);
      if (read) known.set(table.name, read);
    } catch (error) {
      if (!(error instanceof FileProblem || error instanceof FileError)) throw error;
      report(error instanceof FileError ? error.code : 'unreadable_file', error.message);
    }
  }
  return { tables: known, findings };
}

type Report = (code: string, message: string, line?: number) => void;

/** Reads a table by the rules of an upload. Returns null if that would reject rows. */
async function readTable(
  content: Buffer,
  { name, key, matching }: Pick<TableFileContent, 'name' | 'key' | 'matching'>,
  report: Report,
): Promise<LocalTable | null> {
  const params: TableUploadParams = {
    version: 1,
    table: name,
    mode: 'replace',
    keyName: '',
    format: 'csv',
    matching,
    ...(key ? { key } : {}),
    onError: 'continue',
    bytes: content.length,
    maxBytes: MAX_BYTES,
    maxRows: MAX_ROWS,
    dryRun: false,
  };
  const reading = readUpload(once(content), params, new KeyLines());
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
  const { columns, keyColumns } = reading;
  const shape = { columns: [...columns], keyColumns: [...keyColumns] };
  const rules = { matching, lengths: reading.rows.lengths };
  const patterns =
    matching === 'glob'
      ? new GlobPatterns([...cellsByHash.values()].map((cells) => toRow(shape, cells).key))
      : null;
  return {
    find: (sought) => {
      const own = patterns ? patternOf(patterns, sought) : sought;
      const hashes = own === null ? [] : hashesOfMatches(rules, own).map((hash) => hash.toString('hex'));
      const cells = cellsByHash.get(hashes.find((hash) => cellsByHash.has(hash)) ?? '');
      return cells === undefined ? null : toRow(shape, cells).columns;
    },
  };
}

async function* once(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

function patternOf(patterns: GlobPatterns, key: string): string | null {
  const search = patterns.search(key);
  for (let step = search.next(); ; step = search.next()) if (step.done) return step.value.key;
}
