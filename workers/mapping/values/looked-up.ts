/** Where a lookup reads: a lookup table, or who owns the accounts of an account system. */
export type LookupPlace = { readonly table: string } | { readonly integrationId: number };

/** The columns of a row; of an owner, `email`. */
export type LookupRow = Readonly<Record<string, string>>;

/** What is under a key. */
export interface Found {
  /** The revision of the table that was read. Null of owners, and if there is no such table. */
  revision: number | null;
  /** Null: there is no row. */
  row: LookupRow | null;
}

/** Returns what is under a key; of a key with several columns, the list of its texts as JSON. Called again, it gives the same. */
export type LookupSource = (place: LookupPlace, key: string) => Found;

export const FOUND_NOTHING: Found = { revision: null, row: null };

/** What a lookup found for an event or an item of a split. */
export interface LookupResult extends Found {
  place: LookupPlace;
  /** Null if a part of it has no value, or if it is too long: then nothing was looked up. */
  key: string | null;
  /** Why there is no row; null if there is one. `too_many_keys`: the event has too many different ones; `too_much_text`: too much was found for it before. */
  reason: 'no_key' | 'key_too_long' | 'no_table' | 'no_row' | 'too_many_keys' | 'too_much_text' | null;
  /** Set if the key is made of the owner of an account, so that it is personal data. */
  ofOwner?: boolean;
}

/** A key under which there is no row. */
export interface Miss {
  place: LookupPlace;
  key: string;
}

/** Returns why a lookup gave no value, without personal data. */
export function describeResult({ place, key, reason, ofOwner }: LookupResult): string {
  if (reason === 'no_key') return 'its key has no value';
  if (reason === 'key_too_long') return 'its key has more than 1,000 characters';
  if (reason === 'too_many_keys') return 'the event has too many different keys';
  if (reason === 'too_much_text') return 'too much text was found for the event before';
  if (!('table' in place)) {
    const account = `the account ${key} of the account system ${place.integrationId}`;
    return reason === null ? `${account} has only an email` : `${account} has no owner`;
  }
  if (reason === 'no_table') return `there is no lookup table ${place.table}`;
  const table = `the lookup table ${place.table}`;
  const row = ofOwner ? 'row of this owner' : `row ${key}`;
  return reason === null ? `the ${row} of ${table} has no value there` : `${table} has no ${row}`;
}

/** A number just as it is written without leading zeros, trailing ones or an exponent. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{0,14}[1-9])?$/;

/** Returns the value of a cell. One that is written as a number is a number, so that expressions can compare it; as a text it reads the same. */
export const cellValue = (text: string): string | number =>
  NUMBER.test(text) && String(Number(text)) === text ? Number(text) : text;
