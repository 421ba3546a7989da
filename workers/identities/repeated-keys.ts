import type { IdentityKey } from '../../db/identities/key-order.js';
import type { JobWarning } from '../../db/jobs/jobs.js';
import { cut, quoteName } from './header/quote-name.js';

/** An owner that a row names, and the row's place: its line in a CSV file, its index in a JSON array. */
export interface OwnerAt {
  email: string | null;
  place: number;
}

/** A key whose rows name different owners. */
export interface Contradiction extends IdentityKey {
  /** The first rows, each with another owner than the previous row of the key. */
  owners: OwnerAt[];
  /** How many more such rows there are. */
  moreOwners: number;
}

const MAX_KEYS = 5;
const MAX_OWNERS = 3;

/** Counts the keys with different owners and keeps the first of them, in the order of the upload. Keys are added one by one. */
export class Contradictions {
  /** The number of keys with different owners. */
  count = 0;
  /** In the order of the upload. */
  readonly first: Contradiction[] = [];
  /** The key that was added last, if it is among the first so far. */
  #open: Contradiction | null = null;

  /** Adds a key with two rows that name different owners. */
  add({ integrationId, identity }: IdentityKey, before: OwnerAt, after: OwnerAt): void {
    this.count += 1;
    this.#open = null;
    const at = this.first.findLastIndex(({ owners }) => placeOf(owners) < before.place) + 1;
    if (at === MAX_KEYS) return;
    this.#open = { integrationId, identity, owners: [before, after], moreOwners: 0 };
    this.first.splice(at, 0, this.#open);
    if (this.first.length > MAX_KEYS) this.first.pop();
  }

  /** Adds another row that changes the owner of the key that was added last. */
  addOwner(owner: OwnerAt): void {
    if (!this.#open) return;
    if (this.#open.owners.length < MAX_OWNERS) this.#open.owners.push(owner);
    else this.#open.moreOwners += 1;
  }
}

const placeOf = ([owner]: readonly OwnerAt[]): number => owner?.place ?? 0;

/** The rows of an upload that repeat a key. */
export interface RepeatedKeys {
  /** How many rows have the key of an earlier row. */
  rows: number;
  contradictions: Pick<Contradictions, 'count' | 'first'>;
}

/** Characters of an owner that the warning shows. */
const MAX_OWNER = 60;

/** Returns the warning about repeated keys, which names the first keys with different owners; none if no key is repeated. */
export function warnOfRepeatedKeys(
  { rows, contradictions }: RepeatedKeys,
  place: 'line' | 'index',
): JobWarning[] {
  if (rows === 0) return [];
  const what = rows === 1 ? '1 row repeats' : `${rows} rows repeat`;
  const message = `${what} the key of an earlier row; the last row of a key wins`;
  return [{ code: 'repeated_keys', message: message + differentOwners(contradictions, place), count: rows }];
}

function differentOwners({ count, first }: RepeatedKeys['contradictions'], place: string): string {
  if (count === 0) return '';
  const what = count === 1 ? '1 key has different owners' : `${count} keys have different owners`;
  const shown = first.map((one) => describe(one, place));
  return `. ${what}: ${withMore(shown, count - first.length, '; ')}`;
}

function describe({ integrationId, identity, owners, moreOwners }: Contradiction, place: string): string {
  const shown = owners.map((owner) => `${cut(owner.email ?? '', MAX_OWNER)} (${place} ${owner.place})`);
  return `integrationId ${integrationId}, identity ${quoteName(identity)}: ${withMore(shown, moreOwners, ', ')}`;
}

const withMore = (shown: string[], more: number, separator: string): string =>
  [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(separator);
