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
  /** How many characters its key was compared with, if the table has patterns. */
  compared?: number | undefined;
  /** Why nothing was looked up, because of a limit of the event. */
  limit?: LookupLimit | undefined;
}

/**
 * `too_many_keys`: the event has too many different ones. `too_much_text`: too much was found for it before. `too_many_comparisons`: its keys were
 * compared with patterns for too long.
 */
export const LOOKUP_LIMITS = ['too_many_keys', 'too_much_text', 'too_many_comparisons'] as const;
export type LookupLimit = (typeof LOOKUP_LIMITS)[number];

/** Returns what is under a key, see {@link lookupKey}. Called again, it gives the same. */
export type LookupSource = (place: LookupPlace, key: string) => Found;

export const FOUND_NOTHING: Found = { revision: null, row: null };

/** What a lookup found for an event or an item of a split. */
export interface LookupResult extends Pick<Found, 'revision' | 'row'> {
  place: LookupPlace;
  /** Null if a part of it has no value, or if it is too long: then nothing was looked up. */
  key: string | null;
  /** Why there is no row; null if there is one. */
  reason: 'no_key' | 'key_too_long' | 'no_table' | 'no_row' | LookupLimit | null;
  /** Why a part of its key could not be made. */
  error?: string;
  /** Set if the key is made of the owner of an account, so that it is personal data. */
  ofOwner?: boolean;
}

/** UTF-16 units of a key. Those of rows have at most 500, but with some kinds of matching a longer one finds them. */
const MAX_KEY = 1_000;

/**
 * Returns the key that is looked up: of several texts, the list of them as JSON. Null if one of them has no value, because what is left would be the
 * key of something else, or if it is too long.
 */
export function lookupKey(texts: readonly (string | null)[]): Pick<LookupResult, 'key' | 'reason'> {
  const parts = texts.map((text) => text?.trim() ?? '');
  if (parts.includes('')) return { key: null, reason: 'no_key' };
  const key = parts.length === 1 ? (parts[0] ?? '') : JSON.stringify(parts);
  return key.length > MAX_KEY ? { key: null, reason: 'key_too_long' } : { key, reason: null };
}

/** A key under which there is no row. */
export interface Miss {
  place: LookupPlace;
  key: string;
}

/** What a limit says of a lookup without a row. */
export const OVER_LIMIT: Readonly<Record<LookupLimit, string>> = {
  too_many_keys: 'the event has too many different keys',
  too_much_text: 'too much text was found for the event before',
  too_many_comparisons: 'the keys of the event were compared with patterns for too long',
};

/** Returns why a lookup gave no value, without personal data. */
export function describeResult({ place, key, reason, ofOwner, error }: LookupResult): string {
  if (reason === 'no_key') return error ?? 'its key has no value';
  if (reason === 'key_too_long') return 'its key has more than 1,000 characters';
  if (isLimit(reason)) return OVER_LIMIT[reason];
  if (!('table' in place)) {
    const account = `the account ${key} of the account system ${place.integrationId}`;
    return reason === null ? `${account} has only an email` : `${account} has no owner`;
  }
  if (reason === 'no_table') return `there is no lookup table ${place.table}`;
  const table = `the lookup table ${place.table}`;
  const row = ofOwner ? 'row of this owner' : `row ${key}`;
  return reason === null ? `the ${row} of ${table} has no value there` : `${table} has no ${row}`;
}

const isLimit = (reason: string | null): reason is LookupLimit => LOOKUP_LIMITS.some((one) => one === reason);

/** A number just as it is written without leading zeros, trailing ones or an exponent. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{0,14}[1-9])?$/;

/** Returns the value of a cell. One that is written as a number is a number, so that expressions can compare it; as a text it reads the same. */
export const cellValue = (text: string): string | number =>
  NUMBER.test(text) && String(Number(text)) === text ? Number(text) : text;
