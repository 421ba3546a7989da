import type { OwnedKey } from '../../db/identities/chunk-outcome.js';
import type { Assertion } from '../../db/identities/import-outcome.js';
import { compareKeys, type IdentityKey } from '../../db/identities/key-order.js';
import { listAssertedBefore } from '../../db/identities/mirror-marks.js';
import type { ProgressKeeper } from '../run/progress.js';
import type { WorkerServices } from '../run/services.js';
import { ChunkCutter } from './chunks.js';
import type { Spool } from './spool/spool.js';
import { cutChunk } from './write.js';

/** Rows of a file that are merged at a time. */
const MERGED_ROWS = 5_000;

interface Unnamed {
  integrationIds: readonly number[];
  /** The acceptance number of the file. Accounts that a later upload asserted are left out. */
  acceptance: number;
  pageRows: number;
  progress: ProgressKeeper;
  /**
   * The rows of the file, if they are not written. Once they are written, each account that the file names has its number
   * or a greater one.
   */
  spool: Spool | null;
}

/**
 * Yields the accounts with an owner, of some account systems, that a file does not name, in the order of their keys, in pages that
 * are not empty. Memory is constant for any number of accounts.
 */
export async function* unnamedKeys(
  { integrationIds, acceptance, pageRows: limit, progress, spool }: Unnamed,
  { database }: WorkerServices,
): AsyncGenerator<OwnedKey[]> {
  const named = spool && new NamedKeys(spool, progress);
  for (const integrationId of [...integrationIds].sort((a, b) => a - b)) {
    let after: string | null = null;
    for (;;) {
      const page: OwnedKey[] = await listAssertedBefore(database, {
        integrationId,
        after,
        acceptance,
        limit,
      });
      const unnamed = named ? await named.without(page) : page;
      if (unnamed.length > 0) yield unnamed;
      progress.checkpoint();
      if (page.length < limit) break;
      after = page.at(-1)?.identity ?? null;
    }
  }
}

/** The keys of a file, which are compared with others in the order of both. */
class NamedKeys {
  readonly #cutter: ChunkCutter;
  readonly #progress: ProgressKeeper;
  #keys: readonly Assertion[] | null = [];
  #at = 0;

  constructor(spool: Spool, progress: ProgressKeeper) {
    this.#cutter = new ChunkCutter(spool.readers(), MERGED_ROWS);
    this.#progress = progress;
  }

  /** Returns the keys that the file does not name. Each call must continue where the last one ended. */
  async without<Key extends IdentityKey>(keys: readonly Key[]): Promise<Key[]> {
    const unnamed: Key[] = [];
    for (const key of keys) {
      while (this.#keys && this.#isBefore(key)) {
        if (++this.#at >= this.#keys.length) await this.#more();
      }
      const next = this.#keys?.[this.#at];
      if (!next || compareKeys(next, key) !== 0) unnamed.push(key);
    }
    return unnamed;
  }

  /** Returns whether the current key of the file, if there is one, comes before the given one. */
  #isBefore(key: IdentityKey): boolean {
    const current = this.#keys?.[this.#at];
    return current === undefined || compareKeys(current, key) < 0;
  }

  async #more(): Promise<void> {
    const chunk = await cutChunk(this.#cutter, this.#progress);
    this.#keys = chunk?.assertions ?? null;
    this.#at = 0;
  }
}
