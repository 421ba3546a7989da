import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { isDuplicateKey } from '../client/errors.js';
import { inTransaction } from '../client/transaction.js';
import { bumpAssertedBy, LiftMismatch } from './bump-asserted-by.js';
import { type ChunkCounts, enterChunk, isEntered, type LedgerEntry } from './import-chunks.js';
import { type Assertion, decide } from './import-outcome.js';
import { readEach, readRange, type StoredIdentities } from './lock-identities.js';
import { insertIdentities, moveIdentities, reviveIdentities } from './upsert-identities.js';

export interface UploadToWrite {
  jobId: string;
  /** The upload's acceptance number: it changes only rows whose last upload was not accepted later. */
  acceptance: number;
  /** Only count. */
  dryRun: boolean;
}

/** After a chunk among many other rows, this many are looked up row by row before a range is tried again. */
const SCATTERED_CHUNKS = 16;
/** Somebody else writes the very same keys, again and again: no upload does that for so long. */
const MAX_TRIES = 50;

/**
 * Writes the chunks of one upload. What is there is read and locked first; so the counts are exact, and the outcome of
 * each row is decided by one pure function. What somebody else inserts in between refuses the insert, and the chunk
 * starts over.
 */
export class IdentityWriter {
  readonly #database: Database;
  readonly #upload: UploadToWrite;
  #scatteredFor = 0;

  constructor(database: Database, upload: UploadToWrite) {
    this.#database = database;
    this.#upload = upload;
  }

  /**
   * Writes one chunk and its ledger entry in one transaction. Null when the chunk had been committed before.
   * `assertions` are in the order of their keys, each key once.
   */
  async write(entry: LedgerEntry, assertions: readonly Assertion[]): Promise<ChunkCounts | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await inTransaction(this.#database, (transaction) =>
          this.#writeOnce(transaction, entry, assertions),
        );
      } catch (error) {
        if (isDuplicateKey(error) && (await isEntered(this.#database, this.#upload.jobId, entry.chunk)))
          return null;
        if (!(isDuplicateKey(error) || error instanceof LiftMismatch) || tries === MAX_TRIES) throw error;
        this.#scatteredFor = SCATTERED_CHUNKS;
      }
    }
  }

  async #writeOnce(
    transaction: Knex.Transaction,
    entry: LedgerEntry,
    assertions: readonly Assertion[],
  ): Promise<ChunkCounts> {
    const { jobId, acceptance, dryRun } = this.#upload;
    const stored = await this.#read(transaction, assertions);
    const { counts, inserts, moves, revivals, unchanged } = decide(assertions, stored.rows);
    if (!dryRun) {
      await insertIdentities(transaction, inserts, acceptance);
      await moveIdentities(transaction, moves, acceptance);
      await reviveIdentities(transaction, revivals, acceptance);
      await bumpAssertedBy(transaction, assertions, unchanged, stored, acceptance);
    }
    await enterChunk(transaction, jobId, entry, counts);
    return counts;
  }

  async #read(transaction: Knex.Transaction, assertions: readonly Assertion[]): Promise<StoredIdentities> {
    const { acceptance, dryRun } = this.#upload;
    if (this.#scatteredFor === 0) {
      const range = await readRange(transaction, assertions, acceptance, !dryRun);
      if (range) return range;
      this.#scatteredFor = SCATTERED_CHUNKS;
    }
    this.#scatteredFor--;
    return readEach(transaction, assertions, acceptance, !dryRun);
  }
}
