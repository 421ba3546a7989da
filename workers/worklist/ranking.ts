import { LRUCache } from 'lru-cache';
import type { Account, Candidate, Developer } from './account.js';
import { AccountIndex } from './account-index.js';
import {
  type AccountNames,
  type DeveloperNames,
  findEvidence,
  namesOfAccount,
  namesOfDeveloper,
} from './find-evidence.js';

/** The most accounts of a list. */
export const MAX_ACCOUNTS = 100_000;
/** Candidates of one account. */
export const MAX_CANDIDATES = 5;
/**
 * An account is compared with this many developers who have the same name, and this many with a similar one. A name that occurs more often
 * says little about its owner.
 */
const MAX_COMPARED = 2_000;
/** Different accounts of one developer that are compared. The address of a machine may own any number. */
const MAX_ALIASES = 20;
/** Names of accounts that are kept in the forms in which they are compared. */
const KEPT_NAMES = 20_000;

type Rejected = ReadonlyMap<string, ReadonlySet<string>>;

/** Ranks developers as owners of the accounts of a list, and learns from them which accounts have an owner already. */
export class Ranking {
  readonly #accounts: readonly Account[];
  readonly #integrationId: number;
  readonly #index: AccountIndex;
  readonly #byIdentity: Map<string, number>;
  readonly #candidates: (Candidate[] | undefined)[];
  /** How many developers with the same name, and with a similar one, each account has been compared with. */
  readonly #sameName: Uint16Array;
  readonly #similar: Uint16Array;
  readonly #owned: Uint8Array;
  /** The developer whose identities are being added. */
  #developer: Developer | null = null;
  readonly #names = new LRUCache<number, AccountNames>({ max: KEPT_NAMES });

  /** By the identity of an account: the emails that somebody has decided not to be its owner's. */
  readonly #rejected: Rejected;

  private constructor(
    accounts: readonly Account[],
    integrationId: number,
    index: AccountIndex,
    rejected: Rejected,
  ) {
    this.#rejected = rejected;
    this.#accounts = accounts;
    this.#integrationId = integrationId;
    this.#index = index;
    this.#byIdentity = new Map(accounts.map(({ identity }, at) => [identity, at]));
    this.#candidates = new Array(accounts.length);
    this.#sameName = new Uint16Array(accounts.length);
    this.#similar = new Uint16Array(accounts.length);
    this.#owned = new Uint8Array(accounts.length);
  }

  /**
   * @param accounts of the account system, each identity once, at most {@link MAX_ACCOUNTS}
   * @param rejected by the identity of an account: emails that are not suggested for it
   */
  static async of(
    accounts: readonly Account[],
    integrationId: number,
    rejected: Rejected = new Map(),
  ): Promise<Ranking> {
    return new Ranking(accounts, integrationId, await AccountIndex.of(accounts), rejected);
  }

  /** Adds a stored identity. All identities of a developer come one after the other. */
  add(email: string, integrationId: number, identity: string): void {
    if (integrationId === this.#integrationId) this.#noteOwned(identity);
    if (email !== this.#developer?.email) {
      this.end();
      this.#developer = { email, aliases: [] };
    }
    const { aliases } = this.#developer;
    if (aliases.length === MAX_ALIASES || aliases.some((alias) => alias.identity === identity)) return;
    aliases.push({ integrationId, identity });
  }

  /** Ends the identities: the last developer is complete. */
  end(): void {
    if (this.#developer) this.#compare(this.#developer);
    this.#developer = null;
  }

  #compare(developer: Developer): void {
    const names = namesOfDeveloper(developer);
    const { sameName, similar } = this.#index.find(names);
    for (const at of sameName) this.#compareWith(at, names, this.#sameName);
    for (const at of similar) if (!sameName.has(at)) this.#compareWith(at, names, this.#similar);
  }

  /** Returns whether a developer owns the account at an index of the list. */
  isOwned(at: number): boolean {
    return this.#owned[at] === 1;
  }

  /** Returns the best candidates for the account at an index of the list, the best first. */
  candidates(at: number): readonly Candidate[] {
    return this.#candidates[at] ?? [];
  }

  /** @param compared how many developers each account has been compared with for the same reason */
  #compareWith(at: number, developer: DeveloperNames, compared: Uint16Array): void {
    if (this.#owned[at] === 1 || (compared[at] ?? 0) >= MAX_COMPARED) return;
    if (this.#rejected.size > 0 && this.#rejects(at, developer.email)) return;
    compared[at] = (compared[at] ?? 0) + 1;
    const candidate = findEvidence(this.#namesAt(at), developer);
    if (candidate) this.#rank(at, candidate);
  }

  #rejects(at: number, email: string): boolean {
    return this.#rejected.get(this.#accounts[at]?.identity ?? '')?.has(email) ?? false;
  }

  #noteOwned(identity: string): void {
    const at = this.#byIdentity.get(identity);
    if (at !== undefined) this.#owned[at] = 1;
  }

  #rank(at: number, candidate: Candidate): void {
    const ranked = [...(this.#candidates[at] ?? []), candidate].sort(byScore);
    this.#candidates[at] = ranked.slice(0, MAX_CANDIDATES);
  }

  #namesAt(at: number): AccountNames {
    const kept = this.#names.get(at);
    if (kept) return kept;
    const names = namesOfAccount(this.#accounts[at] as Account);
    this.#names.set(at, names);
    return names;
  }
}

/** Equal scores are in the order of the emails, so that the same list gives the same file. */
const byScore = (a: Candidate, b: Candidate): number =>
  b.score - a.score || (a.email < b.email ? -1 : a.email > b.email ? 1 : 0);
