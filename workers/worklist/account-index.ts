import { pacer } from '../run/pace.js';
import type { Account } from './account.js';
import { type AccountNames, type DeveloperNames, namesOfAccount } from './find-evidence.js';
import { KeyTable } from './key-table.js';
import { sameNameKeys, searchKeys, storedKeys } from './name-keys.js';

/** More accounts with the same key are not found by it: thousands of names like `admin1` would be compared with each developer. */
const MAX_PER_KEY = 100;

/** No developer owns so many accounts of one account system. It limits how long one may take: 10 ms. */
const MAX_FOUND = 500;

/** The accounts that share a key with a developer. An account may be in both sets. */
export interface FoundAccounts {
  /** Those with a name or an address of the developer. */
  sameName: Set<number>;
  /** Those with a similar name. */
  similar: Set<number>;
}

/**
 * Finds the accounts that share a key with a developer. The accounts are indexed and not the developers, so the memory depends on the list
 * and not on the stored identities: about 30 keys an account.
 */
export class AccountIndex {
  readonly #table = new KeyTable();

  private constructor() {}

  /** @param accounts the index finds them by their place in this list */
  static async of(accounts: readonly Account[]): Promise<AccountIndex> {
    const index = new AccountIndex();
    const pause = pacer();
    for (const [at, account] of accounts.entries()) {
      for (const hash of hashesOf(namesOfAccount(account))) index.#table.add(hash, at);
      await pause();
    }
    await index.#table.complete();
    return index;
  }

  /** Returns the places of the accounts that share a key with a developer. They may share nothing else. */
  find({ email, names }: DeveloperNames): FoundAccounts {
    const found: FoundAccounts = { sameName: new Set(), similar: new Set() };
    this.#collect([addressKey(email)], found.sameName);
    // A developer has the same name in most account systems.
    for (const forms of new Map(names.map(({ forms }) => [forms.exact, forms])).values()) {
      this.#collect(sameNameKeys(forms), found.sameName);
      this.#collect(searchKeys(forms), found.similar);
    }
    return found;
  }

  #collect(keys: readonly string[], into: Set<number>): void {
    for (const key of keys) {
      if (into.size >= MAX_FOUND) return;
      this.#table.collect(hashOf(key), MAX_PER_KEY, into);
    }
  }
}

const addressKey = (address: string): string => `address ${address}`;

function hashesOf({ addresses, names }: AccountNames): Set<number> {
  const hashes = new Set(addresses.map((address) => hashOf(addressKey(address))));
  for (const { forms } of names) for (const key of storedKeys(forms)) hashes.add(hashOf(key));
  return hashes;
}

/** Returns 32 bits (FNV-1a). Two keys with the same hash cost a comparison and nothing else. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
