import { pacer } from '../run/pace.js';
import type { Account } from './account.js';
import { MIN_EDITED } from './compare-names.js';
import { type AccountNames, type DeveloperNames, namesOfAccount } from './find-evidence.js';
import { KeyTable } from './key-table.js';
import { isImpersonal, type NameForms } from './name-forms.js';

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

/** Longer names are not compared by edits, because each letter is a key. */
const MAX_EDITED = 32;
const NINE = 0x39;

/**
 * Returns the keys under which a name is stored, so that `searchKeys` of a name that resembles it has one of them, see `compareNames`. Names that
 * do not resemble each other may share a key too, so names that are found are compared. A name that derives from another, such as `jdoe`
 * from `Jane Doe`, is found from both sides, but two full names do not share the keys of what derives from them: that would
 * compare all people with the same first name.
 */
function storedKeys(forms: NameForms): string[] {
  const more = derived(forms).map((form) => `derived ${form}`);
  return [...sameNameKeys(forms), ...commonKeys(forms), ...more];
}

/** Returns the keys by which names that resemble this one are found, except for those of `sameNameKeys`. */
function searchKeys(forms: NameForms): string[] {
  if (isImpersonal(forms) || forms.joined === '') return [];
  return [...commonKeys(forms), `derived ${forms.joined}`, ...derived(forms).map((form) => `joined ${form}`)];
}

/** Returns the keys by which the same name is found, however it is written. */
function sameNameKeys(forms: NameForms): string[] {
  if (isImpersonal(forms)) return [];
  const exact = `exact ${forms.exact}`;
  return forms.joined === '' ? [exact] : [exact, `joined ${forms.joined}`];
}

function commonKeys(forms: NameForms): string[] {
  const { joined, sorted, spelling, digits } = forms;
  if (isImpersonal(forms) || joined === '') return [];
  const keys: string[] = [];
  if (sorted !== '') keys.push(`sorted ${sorted}`);
  if (spelling !== '') keys.push(`spelling ${spelling}`);
  if (joined.length >= MIN_EDITED - 1 && joined.length <= MAX_EDITED) {
    // Names at a distance of one edit have a form in common in which each lacks at most one letter. Numbers are not edited.
    keys.push(`edited ${digits} ${joined}`);
    for (let at = 0; at < joined.length; at++) {
      const isLetter = joined.charCodeAt(at) > NINE;
      if (isLetter) keys.push(`edited ${digits} ${joined.slice(0, at)}${joined.slice(at + 1)}`);
    }
  }
  return keys;
}

const derived = ({ letters, reversed, ends, initials, given, parts }: NameForms): string[] =>
  [letters, reversed, ends, ...initials, ...given, ...parts].filter((form) => form !== '');
