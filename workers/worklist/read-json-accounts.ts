import type { Bytes } from '../identities/decode/source.js';
import { FileError } from '../identities/record/errors.js';
import { RowNotes } from '../identities/record/row-notes.js';
import type { Account } from './account.js';
import { checkAccount, type SentAccount } from './check-account.js';
import type { AccountList } from './read-accounts.js';

/**
 * Reads the accounts of a JSON body. The API has checked their number, size and types. They are checked again because a stored list may be
 * older than the rules.
 * @throws FileError if an account is invalid
 */
export async function readJsonAccounts(source: Bytes, keepsLost: boolean): Promise<AccountList> {
  const notes = new RowNotes('index');
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  const sent = JSON.parse(Buffer.concat(chunks).toString()) as SentAccount[];
  const accounts = new Map<string, Account>();
  for (const [index, one] of sent.entries()) {
    const account = checkAccount(one, keepsLost);
    if (Array.isArray(account)) {
      const [first] = account;
      throw new FileError('invalid_rows', `account ${index}, \`${first?.field}\`: ${first?.message}`);
    }
    notes.addRecord(index, account);
    if (!accounts.has(account.identity)) accounts.set(account.identity, account);
  }
  return {
    accounts: [...accounts.values()],
    repeated: sent.length - accounts.size,
    warnings: notes.warnings(),
  };
}
