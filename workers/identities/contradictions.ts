import type { IdentityKey } from '../../db/identities/key-order.js';

/** An owner that a row names, and where the row is: its line in a CSV file, its index in a JSON array. */
export interface OwnerAt {
  email: string | null;
  place: number;
}

/** A key whose rows name different owners. */
export interface Contradiction extends IdentityKey {
  /** The first rows, each with another owner than the row of the key before it. */
  owners: OwnerAt[];
  /** How many more such rows there are. */
  moreOwners: number;
}

const MAX_KEYS = 5;
const MAX_OWNERS = 3;

/** Counts the keys with different owners and keeps those that come first in the upload. Takes key after key. */
export class Contradictions {
  /** Keys with different owners. */
  count = 0;
  /** In the order of the upload. */
  readonly first: Contradiction[] = [];
  /** The key at hand, if it is one of the first so far. */
  #open: Contradiction | null = null;

  /** Adds a key of which two rows name different owners. */
  add({ integrationId, identity }: IdentityKey, before: OwnerAt, after: OwnerAt): void {
    this.count += 1;
    this.#open = null;
    const at = this.first.findLastIndex(({ owners }) => placeOf(owners) < before.place) + 1;
    if (at === MAX_KEYS) return;
    this.#open = { integrationId, identity, owners: [before, after], moreOwners: 0 };
    this.first.splice(at, 0, this.#open);
    if (this.first.length > MAX_KEYS) this.first.pop();
  }

  /** Adds a row that changes the owner of the last added key once more. */
  addOwner(owner: OwnerAt): void {
    if (!this.#open) return;
    if (this.#open.owners.length < MAX_OWNERS) this.#open.owners.push(owner);
    else this.#open.moreOwners += 1;
  }
}

const placeOf = ([owner]: readonly OwnerAt[]): number => (owner as OwnerAt).place;
