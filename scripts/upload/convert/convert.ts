import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toCsvLine } from '../../../workers/export/csv.js';
import { checkEmail, checkIdentity } from '../../../workers/identities/record/identity-record.js';
import { isMissing } from '../../../workers/identities/record/suspicious-value.js';
import { counted, wholeNumber } from '../../../workers/text/quantities.js';
import { UploadFailure } from '../failure.js';
import { converters, type SourceRow } from './converters.js';
import { LeftOut } from './left-out.js';

/** What to convert. */
export interface Conversion {
  from: string;
  path: string;
  users?: string | undefined;
  /** The encoding of CSV files, if they are neither UTF-8 nor marked. */
  charset?: string | undefined;
  /** The account system of the accounts, or of those of each system in the export. */
  integrationIds: number | ReadonlyMap<string, number>;
  /** How many accounts the export has, also those that are left out. Default: any number. */
  expectedRows?: number | undefined;
  /** Whether invalid accounts are sent too, so that the service rejects them one by one. */
  sendInvalid: boolean;
  /** Whether values that a spreadsheet lost are accepted as accounts. */
  keepsLost: boolean;
  /** Whether accounts that the converted file does not name will be removed. Then none may be left out. */
  isMirror: boolean;
}

/** A converted export. */
export interface Converted {
  path: string;
  rows: number;
  /** What was left out, and what the reader of the export noted. */
  notes: string[];
  remove(): void;
}

/**
 * Converts an export of another product to a CSV file in a temporary folder.
 * @throws UploadFailure with the first invalid accounts; if there is none to upload; if the export has another number of
 * accounts than expected; or if the file cannot be written. No temporary file is left then.
 */
export async function convert(conversion: Conversion): Promise<Converted> {
  const { path } = conversion;
  const folder = writing(() => mkdtempSync(join(tmpdir(), 'muster-convert-')));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const target = join(folder, `${basename(path).replace(/(?:\.\w+)?(?:\.gz)?$/i, '')}.csv`);
    const lines = new ConvertedLines(conversion);
    await pipeline(Readable.from(lines), createWriteStream(target, { mode: 0o600 })).catch(throwUnwritable);
    const { rows, notes } = lines.check();
    return { path: target, rows, notes, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The lines of the converted file. Can be iterated once. */
class ConvertedLines implements AsyncIterable<string> {
  readonly #conversion: Conversion;
  readonly #left = new LeftOut();
  readonly #notes: string[] = [];
  #accounts = 0;
  #rows = 0;

  constructor(conversion: Conversion) {
    this.#conversion = conversion;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const { from, path, users, charset, keepsLost } = this.#conversion;
    yield toCsvLine(['email', 'integrationId', 'identity']);
    const fileAt = (at: string) => ({ path: at, charset, keepsLost, notes: this.#notes });
    const ownersIn = users === undefined ? undefined : fileAt(users);
    for await (const row of converters[from]?.read(fileAt(path), ownersIn) ?? []) {
      this.#accounts += 1;
      const line = lineOf(row, this.#conversion, this.#left);
      if (!line) continue;
      this.#rows += 1;
      yield line;
    }
  }

  /**
   * Checks the whole export, after its last line.
   * @throws UploadFailure
   */
  check(): Pick<Converted, 'rows' | 'notes'> {
    const { path, expectedRows, isMirror } = this.#conversion;
    if (expectedRows !== undefined && this.#accounts !== expectedRows)
      throw wrongCount(path, this.#accounts, expectedRows);
    this.#left.throwIfInvalid(path);
    if (isMirror) this.#left.throwIfAny(path);
    const notes = [...this.#notes, ...this.#left.notes()];
    if (this.#rows === 0) throw new UploadFailure([`${path} has no account to upload.`, ...notes].join('\n'));
    return { rows: this.#rows, notes };
  }
}

function lineOf(
  row: SourceRow,
  { integrationIds, sendInvalid, keepsLost }: Conversion,
  left: LeftOut,
): string | null {
  const integrationId = typeof integrationIds === 'number' ? integrationIds : integrationIds.get(row.system);
  if (integrationId === undefined) return left.addSystem(row);
  if (row.email.trim() === '' || isMissing(row.email)) return left.addOwnerless(row);
  const checks = [
    [row.names.email, checkEmail(row.email)],
    [row.names.identity, checkIdentity(row.identity, keepsLost)],
  ] as const;
  for (const [name, checked] of checks)
    if (typeof checked === 'object' && !sendInvalid)
      left.addInvalid(`${row.place}, ${name}: ${checked.message}`);
  return toCsvLine([row.email, integrationId, row.identity]);
}

function wrongCount(path: string, found: number, expected: number): UploadFailure {
  const incomplete = found < expected ? ' It may be incomplete.' : '';
  return new UploadFailure(
    `${path} has ${counted(found, 'account')}, but --expected-rows is ${wholeNumber(expected)}.${incomplete} Nothing was uploaded.`,
  );
}

function writing<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    return throwUnwritable(error);
  }
}

/** @throws UploadFailure if the temporary file cannot be written, for example because the disk is full; otherwise the error */
function throwUnwritable(error: unknown): never {
  // The errors of reading the export are UploadFailures.
  if (!(error instanceof Error && 'syscall' in error)) throw error;
  throw new UploadFailure(
    `The export could not be converted, because its temporary file in ${tmpdir()} could not be written: ${error.message}. ` +
      'Nothing was uploaded.',
  );
}
