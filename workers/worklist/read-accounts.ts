import { checkCells, notePadding, textKind, valueIn } from '../identities/parse/check-row.js';
import { type ChecksOf, type FileWarning, readTable, type Source } from '../identities/parse/read-csv.js';
import {
  describeInvalidRows,
  errorsOf,
  FileError,
  type LineError,
  type RowError,
} from '../identities/record/errors.js';
import { checkEmail, checkIdentity } from '../identities/record/identity-record.js';
import { parseIntegrationId } from '../identities/record/integration-id.js';
import { RowNotes } from '../identities/record/row-notes.js';
import { isMissing, standsForNone } from '../identities/record/suspicious-value.js';
import type { Account } from './account.js';
import { MAX_ACCOUNTS } from './ranking.js';

/** Bytes of a list after decompression: 100,000 rows of 640 bytes. */
export const LIST_LIMITS = { maxBytes: 64 * 1024 * 1024, maxRows: MAX_ACCOUNTS };
const MAX_ERRORS_LISTED = 100;
const READS = { required: ['identity'], optional: ['name', 'email', 'integrationId'] };
/** In UTF-16 units. */
const MAX_NAME = 255;
/** Control characters and line separators: they would make rows of a list hard to read. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A list of accounts as it was read. */
export interface AccountList {
  /** Each identity once, in the order of the file. */
  accounts: Account[];
  /** Rows that name an identity again. Only the first row counts. */
  repeated: number;
  warnings: FileWarning[];
}

interface ListOptions {
  charset?: string | undefined;
  integrationId: number;
  /** Whether values that a spreadsheet lost are accepted as identities. */
  keepsLost: boolean;
}

/**
 * Reads a CSV file or a workbook of accounts by the rules of an upload, and holds it in memory. The accounts of a list belong to one account system: a column for
 * the account system may repeat its id.
 *
 * @throws FileError if the file is invalid, with the first 100 errors of its rows
 */
export async function readAccounts(source: Source, options: ListOptions): Promise<AccountList> {
  const { charset } = options;
  const reading = readTable(
    source,
    { charset, choice: { reads: READS }, limits: LIST_LIMITS },
    checksOf(options),
  );
  const accounts = new Map<string, Account>();
  const errors: LineError[] = [];
  const count = { rows: 0, invalid: 0, errors: 0 };
  for await (const { records, rejected } of reading) {
    count.rows += records.length + rejected.length;
    count.invalid += rejected.length;
    for (const account of records)
      if (!accounts.has(account.identity)) accounts.set(account.identity, account);
    for (const row of rejected) {
      count.errors += row.errors.length;
      const listed = row.errors.slice(0, MAX_ERRORS_LISTED - errors.length);
      errors.push(...listed.map((error) => ({ line: row.line, ...error })));
    }
  }
  if (count.invalid > 0) {
    const message = describeInvalidRows(count.invalid, count.rows, errors[0]);
    throw new FileError('invalid_rows', message, errors, { errorCount: count.errors });
  }
  const { warnings } = reading;
  return { accounts: [...accounts.values()], repeated: count.rows - accounts.size, warnings };
}

/**
 * Reads the accounts of a JSON body. The API has checked their number, size and types. They are checked again because a stored list may be
 * older than the rules.
 * @throws FileError if an account is invalid
 */
export async function readJsonAccounts(
  source: AsyncIterable<Uint8Array>,
  keepsLost: boolean,
): Promise<AccountList> {
  const notes = new RowNotes('index');
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  const sent: SentAccount[] = JSON.parse(Buffer.concat(chunks).toString());
  const accounts = new Map<string, Account>();
  for (const [index, one] of sent.entries()) {
    const account = checkAccount(one, { line: index, keepsLost, notes });
    if (Array.isArray(account)) {
      const [first] = account;
      throw new FileError('invalid_rows', `account ${index}, \`${first?.field}\`: ${first?.message}`);
    }
    notes.addRecord(index, account);
    if (!accounts.has(account.identity)) accounts.set(account.identity, account);
  }
  const repeated = sent.length - accounts.size;
  return { accounts: [...accounts.values()], repeated, warnings: notes.warnings() };
}

const checksOf =
  ({ integrationId, keepsLost }: ListOptions): ChecksOf<Account> =>
  (header, notes) =>
  (cells, line) => {
    const text = textKind(cells);
    const unreadable = checkCells(cells, line, header, text, { keepsLost, notes });
    if (unreadable) return unreadable;
    // A list holds its accounts until its end, but not the file that the cells are slices of.
    const value = (field: string) => copied(valueIn(cells, header.columns[field] ?? null, text));
    const sent = { identity: value('identity'), name: value('name'), email: value('email') };
    const account = checkAccount(sent, { line, keepsLost, notes });
    const errors = otherAccountSystem(value('integrationId'), integrationId);
    if (errors.length > 0) return [...errors, ...(Array.isArray(account) ? account : [])];
    if (Array.isArray(account)) return account;
    if (text !== 'plain') notePadding(cells, line, header, notes);
    notes.addRecord(line, account, text === 'plain');
    return account;
  };

const copied = (text: string): string => Buffer.from(text).toString();

/** A row of another account system would silently get candidates for this one. */
function otherAccountSystem(cell: string, integrationId: number): RowError[] {
  if (cell.trim() === '' || parseIntegrationId(cell) === integrationId) return [];
  const message = `must be ${integrationId}, the account system of this worklist`;
  return [{ field: 'integrationId', code: 'other_integration', message }];
}

/** An account as it was sent. */
interface SentAccount {
  identity: unknown;
  name?: string | undefined;
  email?: string | undefined;
}

interface Checking {
  line: number;
  keepsLost: boolean;
  notes: RowNotes;
}

/** Returns the account in its normalized form, or everything that is wrong with it. */
function checkAccount(
  { identity, name = '', email = '' }: SentAccount,
  { line, keepsLost, notes }: Checking,
) {
  const unless = (isNone: (text: string) => boolean, field: string, text: string): string => {
    if (!isNone(text)) return text;
    notes.add('missing_values', line, `${field} ${JSON.stringify(text)}`);
    return '';
  };
  const address = unless(isMissing, 'email', email.trim());
  const checked = {
    identity: checkIdentity(identity, keepsLost),
    name: checkName(unless(standsForNone, 'name', name.trim())),
    email: address === '' ? '' : checkEmail(address),
  };
  const errors = errorsOf(checked);
  return errors.length > 0 ? errors : (checked as Account);
}

function checkName(name: string) {
  const normalized = name.normalize('NFC');
  if (normalized.length > MAX_NAME)
    return { code: 'name_too_long', message: `must have at most ${MAX_NAME} characters` };
  if (FORBIDDEN.test(normalized))
    return { code: 'name_forbidden_character', message: 'must not contain control characters' };
  return normalized;
}
