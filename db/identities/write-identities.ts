import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { isDuplicateKey } from '../client/errors.js';
import { inTransaction } from '../client/transaction.js';
import { bumpAssertedBy } from './bump-asserted-by.js';
import type { Decide, OwnedKey } from './chunk-outcome.js';
import { enterUpload } from './history/creations.js';
import { recordHistory } from './history/record-history.js';
import { type EncodeChanges, insertChanges } from './import-changes.js';
import { type ChunkCounts, enterChunk, isEntered, type LedgerEntry } from './import-chunks.js';
import { RangeMismatch, readEach, readRange, type StoredIdentities } from './lock-identities.js';
import { readMirrored, superseding } from './mirror-marks.js';
import { insertIdentities, moveIdentities, reviveIdentities } from './upsert-identities.js';

export interface UploadToWrite<Row extends OwnedKey> {
  jobId: string;
  /**
   * The upload's acceptance number. The upload changes only rows that were last asserted by an upload that was not
   * accepted later.
   */
  acceptance: number;
  /** Only count, write nothing. */
  dryRun: boolean;
  /** What the rows do to the stored ones. */
  decide: Decide<Row>;
  /** Who makes the changes, for the history of the accounts. Undefined if no history is kept. */
  apiKeyId: string | undefined;
  /** Encodes the changes of a chunk, to be stored with it. Undefined if they are not stored. */
  encodeChanges?: EncodeChanges | undefined;
}

/** After a chunk whose keys are scattered, this many chunks are looked up row by row before a range is tried again. */
const SCATTERED_CHUNKS = 16;
/** Another upload would have to write the same keys again and again. No upload does that for so long. */
const MAX_TRIES = 50;

/**
 * Writes the chunks of one upload. The stored rows are read and locked first, so the counts are exact, and
 * `decide`
 * determines what happens to each row. If another transaction inserts one of the rows in between, the insert fails and the
 * chunk starts over.
 */
export class IdentityWriter<Row extends OwnedKey> {
  readonly #database: Database;
  readonly #upload: UploadToWrite<Row>;
  #scatteredFor = 0;
  /** Whether a committed chunk has entered the upload as the creator of accounts. */
  #isEntered = false;

  constructor(database: Database, upload: UploadToWrite<Row>) {
    this.#database = database;
    this.#upload = upload;
  }

  /**
   * Writes one chunk and its ledger entry in one transaction. Returns null if the chunk was committed before.
   *
   * @param rows in the order of their keys, each key once
   */
  async write(entry: LedgerEntry, rows: readonly Row[]): Promise<ChunkCounts | null> {
    for (let tries = 1; ; tries++) {
      try {
        const { counts, enters } = await inTransaction(this.#database, (transaction) =>
          this.#writeOnce(transaction, entry, rows),
        );
        this.#isEntered ||= enters;
        return counts;
      } catch (error) {
        if (isDuplicateKey(error) && (await isEntered(this.#database, this.#upload.jobId, entry.chunk)))
          return null;
        if (!(isDuplicateKey(error) || error instanceof RangeMismatch) || tries === MAX_TRIES) throw error;
        this.#scatteredFor = SCATTERED_CHUNKS;
      }
    }
  }

  async #writeOnce(
    transaction: Knex.Transaction,
    entry: LedgerEntry,
    rows: readonly Row[],
  ): Promise<{ counts: ChunkCounts; enters: boolean }> {
    const { jobId, acceptance, dryRun, decide, apiKeyId, encodeChanges } = this.#upload;
    const mirrored = await readMirrored(transaction, acceptance, !dryRun);
    const stored = superseding(await this.#read(transaction, rows), rows, mirrored);
    const outcome = decide(rows, stored.rows);
    const { counts, inserts, moves, revivals, unchanged, changes } = outcome;
    const author = dryRun || !apiKeyId ? null : { acceptance, jobId, apiKeyId };
    const enters = author !== null && !this.#isEntered && inserts.some(({ email }) => email !== null);
    const encoded = encodeChanges?.(changes);
    // Awaited below. If a statement fails first, nobody needs the parts.
    encoded?.catch(() => {});
    if (author && enters) await enterUpload(transaction, author);
    if (author) await recordHistory(transaction, author, outcome);
    if (!dryRun) {
      await insertIdentities(transaction, inserts, acceptance, author !== null);
      await moveIdentities(transaction, moves, acceptance);
      await reviveIdentities(transaction, revivals, acceptance);
      await bumpAssertedBy(transaction, rows, unchanged, stored, acceptance);
    }
    // First, because a job that has ended may still have the changes of this chunk.
    await enterChunk(transaction, jobId, entry, { counts, changesKept: encoded !== undefined });
    if (encoded) await insertChanges(transaction, jobId, entry.chunk, await encoded);
    return { counts, enters };
  }

  async #read(transaction: Knex.Transaction, rows: readonly Row[]): Promise<StoredIdentities> {
    const { acceptance, dryRun } = this.#upload;
    if (this.#scatteredFor === 0) {
      const range = await readRange(transaction, rows, acceptance, !dryRun);
      if (range) return range;
      this.#scatteredFor = SCATTERED_CHUNKS;
    }
    this.#scatteredFor--;
    return readEach(transaction, rows, acceptance, !dryRun);
  }
}
