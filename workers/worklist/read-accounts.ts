import { unescapeFormula } from '../export/formulas.js';
import { hasBadByte, showCell, textOf } from '../identities/decode/byte-text.js';
import { openDecoder } from '../identities/decode/decode.js';
import { gunzipped } from '../identities/decode/gunzip.js';
import { nulByte, rejectOtherFormats } from '../identities/decode/sniff.js';
import { type Bytes, limited, type Meter, metered, splitHead } from '../identities/decode/source.js';
import { copyOf } from '../identities/parse/plain-records.js';
import { RecordSplitter } from '../identities/parse/split-records.js';
import { FileError, fileErrorAt, type LineError, type RowError } from '../identities/record/errors.js';
import { parseIntegrationId } from '../identities/record/integration-id.js';
import { pacer } from '../run/pace.js';
import type { Account } from './account.js';
import { type AccountColumns, chooseDelimiter, findColumns, isEscaped } from './account-columns.js';
import { checkAccount } from './check-account.js';
import { MAX_ACCOUNTS } from './ranking.js';

/** Bytes of a list after decompression: 100,000 rows of 640 bytes. */
export const MAX_LIST_BYTES = 64 * 1024 * 1024;
const MAX_ERRORS_LISTED = 100;
/** Decoded and split without a break. */
const PIECE_BYTES = 8 * 1024;

/** A list of accounts as it was read. */
export interface AccountList {
  /** Each identity once, in the order of the file. */
  accounts: Account[];
  /** Rows that name an identity again. Only the first row counts. */
  repeated: number;
}

/**
 * Reads a CSV file of accounts, plain or gzip, and holds it in memory. The accounts of a list are one integration's: a column for the
 * integration may repeat its id.
 *
 * @throws FileError if the file is invalid, with the first 100 errors of its rows
 */
export async function readAccounts(
  source: Bytes,
  { charset, integrationId }: { charset?: string | undefined; integrationId: number },
): Promise<AccountList> {
  const meter: Meter = { bytes: 0, isGzip: false, decompressed: 0 };
  const bytes = limited(gunzipped(metered(source, meter), meter), MAX_LIST_BYTES, 0);
  const reader = new AccountReader(integrationId);
  const pause = pacer();
  let splitter: RecordSplitter | null = null;
  for await (const piece of decoded(bytes, charset)) {
    const nul = piece.indexOf(0);
    splitter ??= new RecordSplitter(chooseDelimiter(firstLine(piece)), 1, reader.take.bind(reader));
    splitter.write(nul === -1 ? piece : piece.subarray(0, nul));
    if (nul !== -1) throw nulByte(splitter.lineAtEnd());
    await pause();
  }
  splitter?.end();
  return reader.end();
}

async function* decoded(bytes: AsyncIterable<Buffer>, charset: string | undefined): AsyncGenerator<Buffer> {
  const { head, rest } = await splitHead(bytes, PIECE_BYTES);
  rejectOtherFormats(head);
  const { decoder, skip } = openDecoder(head, charset);
  yield decoder.write(head.subarray(skip));
  for await (const chunk of rest) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES)
      yield decoder.write(chunk.subarray(at, at + PIECE_BYTES));
  }
  yield decoder.end();
}

/** Returns the first line with text, for the choice of the delimiter. */
const firstLine = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .trimStart()
    .split(/[\r\n]/, 1)[0] ?? '';

/** Takes the records of a file. */
class AccountReader {
  readonly #integrationId: number;
  readonly #accounts = new Map<string, Account>();
  readonly #errors: LineError[] = [];
  #errorCount = 0;
  #invalidRows = 0;
  #rows = 0;
  #columns: AccountColumns | null = null;
  #escaped: boolean[] = [];

  constructor(integrationId: number) {
    this.#integrationId = integrationId;
  }

  /** Takes a record: the first one is the header. */
  take(cells: string[], line: number, error: { code: string; message: string } | null): void {
    if (this.#columns === null) {
      if (error) throw fileErrorAt(line, error);
      const names = cells.map(showCell);
      this.#columns = findColumns(names, line);
      this.#escaped = names.map(isEscaped);
      return;
    }
    if (cells.every((cell) => cell.trim() === '') && error === null) return;
    if (++this.#rows > MAX_ACCOUNTS)
      throw fileErrorAt(line, {
        code: 'too_many_rows',
        message: `the file has more than ${MAX_ACCOUNTS} rows`,
      });
    const account = error ? [{ field: null, ...error }] : this.#check(cells, this.#columns);
    if (Array.isArray(account)) this.#reject(line, account);
    else if (!this.#accounts.has(account.identity)) this.#accounts.set(account.identity, account);
  }

  /** @throws FileError if a row is invalid or there is none */
  end(): AccountList {
    if (this.#invalidRows > 0) throw this.#invalid();
    if (this.#columns === null) throw new FileError('empty_file', 'the file is empty');
    if (this.#rows === 0) throw new FileError('empty_file', 'the file has a header, but no rows');
    return { accounts: [...this.#accounts.values()], repeated: this.#rows - this.#accounts.size };
  }

  #check(cells: string[], columns: AccountColumns): Account | RowError[] {
    const { width } = columns;
    if (cells.length !== width) {
      const message = `the row has ${cells.length} cells, but the header has ${width}`;
      return [{ field: null, code: 'cell_count', message }];
    }
    const bad = cells.find(hasBadByte);
    if (bad !== undefined) {
      const message = `${JSON.stringify(showCell(bad).slice(0, 60))} cannot be decoded. Declare the charset of the file`;
      return [{ field: null, code: 'undecodable_bytes', message }];
    }
    const account = checkAccount({
      identity: this.#cell(cells, columns.identity),
      name: this.#cell(cells, columns.name),
      email: this.#cell(cells, columns.email),
    });
    const integration = this.#checkIntegration(this.#cell(cells, columns.integrationId));
    if (integration.length === 0) return account;
    return [...integration, ...(Array.isArray(account) ? account : [])];
  }

  #cell(cells: string[], index: number | null): string {
    // A list holds its accounts until its end, but not the file that the cells are slices of.
    const text = index === null ? '' : textOf(copyOf(cells[index] ?? ''));
    return index !== null && this.#escaped[index] ? unescapeFormula(text) : text;
  }

  /** A row of another integration would silently get candidates for this one. */
  #checkIntegration(cell: string): RowError[] {
    if (cell.trim() === '' || parseIntegrationId(cell) === this.#integrationId) return [];
    const message = `must be ${this.#integrationId}, the integration of this worklist`;
    return [{ field: 'integrationId', code: 'other_integration', message }];
  }

  #reject(line: number, errors: RowError[]): void {
    this.#invalidRows += 1;
    this.#errorCount += errors.length;
    const room = Math.max(0, MAX_ERRORS_LISTED - this.#errors.length);
    this.#errors.push(...errors.slice(0, room).map((error) => ({ line, ...error })));
  }

  #invalid(): InvalidAccounts {
    const count = `${this.#invalidRows} of ${this.#rows} ${this.#rows === 1 ? 'row' : 'rows'}`;
    const verb = this.#invalidRows === 1 ? 'is' : 'are';
    const first = this.#errors[0] as LineError;
    const place = `Line ${first.line}${first.field ? `, \`${first.field}\`` : ''}`;
    const message = `${count} ${verb} invalid. ${place}: ${first.message}`;
    return new InvalidAccounts(message, this.#errors, this.#errorCount);
  }
}

/** Rows of a list are invalid. */
export class InvalidAccounts extends FileError {
  /** The number of all errors; `errors` has the first 100. */
  readonly errorCount: number;

  constructor(message: string, errors: readonly LineError[], errorCount: number) {
    super('invalid_rows', message, errors);
    this.errorCount = errorCount;
  }
}
