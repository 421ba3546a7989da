import type { Bytes } from '../identities/decode/source.js';
import { checkCells, notePadding, textKind, valueIn } from '../identities/parse/check-row.js';
import { type ChecksOf, readTable, type Warning } from '../identities/parse/read-csv.js';
import { FileError, type LineError, type RowError } from '../identities/record/errors.js';
import { parseIntegrationId } from '../identities/record/integration-id.js';
import type { Account } from './account.js';
import { checkAccount } from './check-account.js';
import { MAX_ACCOUNTS } from './ranking.js';

/** Bytes of a list after decompression: 100,000 rows of 640 bytes. */
const LIMITS = { maxBytes: 64 * 1024 * 1024, maxRows: MAX_ACCOUNTS };
const MAX_ERRORS_LISTED = 100;
const READS = { required: ['identity'], optional: ['name', 'email', 'integrationId'] };

/** A list of accounts as it was read. */
export interface AccountList {
  /** Each identity once, in the order of the file. */
  accounts: Account[];
  /** Rows that name an identity again. Only the first row counts. */
  repeated: number;
  warnings: Warning[];
}

interface ListOptions {
  charset?: string | undefined;
  integrationId: number;
  /** Whether values that a spreadsheet lost are accepted as identities. */
  keepsLost: boolean;
}

/**
 * Reads a CSV file of accounts by the rules of an upload, and holds it in memory. The accounts of a list are one integration's: a column for
 * the integration may repeat its id.
 *
 * @throws FileError if the file is invalid, with the first 100 errors of its rows
 */
export async function readAccounts(source: Bytes, options: ListOptions): Promise<AccountList> {
  const { charset } = options;
  const reading = readTable(source, { charset, choice: { reads: READS }, limits: LIMITS }, checksOf(options));
  const accounts = new Map<string, Account>();
  const rejected = new RejectedAccounts();
  let rows = 0;
  for await (const batch of reading) {
    rows += batch.records.length + batch.rejected.length;
    for (const account of batch.records)
      if (!accounts.has(account.identity)) accounts.set(account.identity, account);
    for (const row of batch.rejected) rejected.add(row);
  }
  rejected.throwIfAny(rows);
  return { accounts: [...accounts.values()], repeated: rows - accounts.size, warnings: reading.warnings };
}

const checksOf =
  ({ integrationId, keepsLost }: ListOptions): ChecksOf<Account> =>
  (header, notes) =>
  (cells, line) => {
    const text = textKind(cells);
    const unreadable = checkCells(cells, line, header, text, notes);
    if (unreadable) return unreadable;
    // A list holds its accounts until its end, but not the file that the cells are slices of.
    const value = (field: string) => copied(valueIn(cells, header.columns[field] ?? null, text));
    const sent = { identity: value('identity'), name: value('name'), email: value('email') };
    const account = checkAccount(sent, keepsLost);
    const errors = otherIntegration(value('integrationId'), integrationId);
    if (errors.length > 0) return [...errors, ...(Array.isArray(account) ? account : [])];
    if (Array.isArray(account)) return account;
    if (text !== 'plain') notePadding(cells, line, header, notes);
    notes.addRecord(line, account, text === 'plain');
    return account;
  };

const copied = (text: string): string => Buffer.from(text).toString();

/** A row of another integration would silently get candidates for this one. */
function otherIntegration(cell: string, integrationId: number): RowError[] {
  if (cell.trim() === '' || parseIntegrationId(cell) === integrationId) return [];
  const message = `must be ${integrationId}, the integration of this worklist`;
  return [{ field: 'integrationId', code: 'other_integration', message }];
}

/** Counts rejected rows and keeps their first errors. */
class RejectedAccounts {
  readonly #errors: LineError[] = [];
  #rows = 0;
  #errorCount = 0;

  add({ line, errors }: { line: number; errors: RowError[] }): void {
    this.#rows += 1;
    this.#errorCount += errors.length;
    const room = Math.max(0, MAX_ERRORS_LISTED - this.#errors.length);
    this.#errors.push(...errors.slice(0, room).map((error) => ({ line, ...error })));
  }

  throwIfAny(rows: number): void {
    const [first] = this.#errors;
    if (!first) return;
    const count = `${this.#rows} of ${rows} ${rows === 1 ? 'row' : 'rows'} ${this.#rows === 1 ? 'is' : 'are'} invalid`;
    const place = `Line ${first.line}${first.field ? `, \`${first.field}\`` : ''}`;
    throw new InvalidAccounts(`${count}. ${place}: ${first.message}`, this.#errors, this.#errorCount);
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
