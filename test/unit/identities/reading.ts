import { type CsvOptions, type FileWarning, readCsv } from '../../../workers/identities/parse/read-csv.js';
import { FileError } from '../../../workers/identities/record/errors.js';
import type { IdentityRecord } from '../../../workers/identities/record/identity-record.js';
import type { RejectedRow } from '../../../workers/identities/rejected/rejected-row.js';
import { type WorkbookOptions, workbookIn } from '../../../workers/identities/workbook/workbook.js';

export const HEADER = 'email,integrationId,identity\n';

export interface Reading {
  records: IdentityRecord[];
  lines: number[];
  rejected: RejectedRow[];
  warnings: FileWarning[];
}

export type Outcome = Reading | { fileError: Pick<FileError, 'code' | 'message' | 'errors' | 'candidates'> };

export interface ReadOptions extends Partial<CsvOptions> {
  /** Length of each chunk in turn; the last one applies to the remaining bytes. Default: everything in one chunk. */
  cuts?: number[];
  /** The file is a workbook. */
  workbook?: Partial<WorkbookOptions>;
}

/** Reads a file to its end. */
export async function read(file: string | Buffer, options: ReadOptions = {}): Promise<Reading> {
  const { cuts = [], workbook, ...csvOptions } = options;
  const limits = { maxBytes: 2 ** 40, maxRows: 2 ** 40 };
  const bytes = Buffer.from(file as string);
  const source = workbook ? workbookIn(bytes, { maxBytes: 2 ** 40, ...workbook }) : chunksOf(bytes, cuts);
  const reading = readCsv(source, { limits, ...csvOptions });
  const all: Reading = { records: [], lines: [], rejected: [], warnings: reading.warnings };
  for await (const batch of reading) {
    all.records.push(...batch.records);
    all.lines.push(...batch.lines);
    all.rejected.push(...batch.rejected);
  }
  return all;
}

/** Reads a file to its end or to the error that ends it. */
export async function outcomeOf(file: string | Buffer, options: ReadOptions = {}): Promise<Outcome> {
  try {
    return await read(file, options);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { code, message, errors, candidates } = error;
    return { fileError: { code, message, errors, ...(candidates ? { candidates } : {}) } } as Outcome;
  }
}

/** Reads a file that must be rejected as a whole, and returns its error. */
export async function fileErrorOf(file: string | Buffer, options: ReadOptions = {}) {
  const outcome = await outcomeOf(file, options);
  if ('fileError' in outcome) return outcome.fileError;
  throw new Error(`not rejected: ${JSON.stringify(outcome).slice(0, 500)}`);
}

/** The rows of a body under the plain header, in short: `line email integrationId identity` or `line code`. */
export async function rowsOf(body: string | Buffer, options: ReadOptions = {}): Promise<string[]> {
  const { records, lines, rejected } = await read(
    Buffer.concat([Buffer.from(HEADER), Buffer.from(body as string)]),
    options,
  );
  const good = records.map(
    ({ email, integrationId, identity }, index) => `${lines[index]} ${email} ${integrationId} ${identity}`,
  );
  const bad = rejected.map(({ line, errors }) => `${line} ${errors.map(({ code }) => code).join(' ')}`);
  return [...good, ...bad].sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
}

export async function* chunksOf(file: Buffer, cuts: number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let i = 0; at < file.length; i++) {
    const size = cuts[Math.min(i, cuts.length - 1)] ?? file.length;
    yield file.subarray(at, at + size);
    at += size;
  }
}
