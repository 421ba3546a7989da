import type { OracleRow } from './import-oracle.js';
import { keyOf } from './import-oracle.js';

/**
 * A simple model of reverts: for each account its owner, and the upload that asserted it last. A revert has no number of its
 * own. It takes back what an upload, or another revert of it, did to the accounts that this upload asserted last.
 */
export class RevertOracle {
  readonly owners = new Map<string, string | null>();
  readonly #assertedBy = new Map<string, number>();
  /** What each job did, by its number: the owner of each account before and after. */
  readonly #done = new Map<number, { upload: number; changes: Map<string, Change> }>();

  /** @param upload its number in the order of acceptance */
  apply(job: number, upload: number, rows: readonly OracleRow[]): void {
    const changes = new Map<string, Change>();
    for (const [key, after] of new Map(rows.map((row) => [keyOf(row), row.email]))) {
      if ((this.#assertedBy.get(key) ?? -1) > upload) continue;
      const before = this.owners.get(key) ?? null;
      this.owners.set(key, after);
      this.#assertedBy.set(key, upload);
      if (before !== after) changes.set(key, { before, after });
    }
    this.#done.set(job, { upload, changes });
  }

  /** Returns the accounts that were restored and those that were skipped. */
  revert(job: number, reverted: number): { restored: string[]; skipped: string[] } {
    const { upload, changes } = this.#done.get(reverted) as { upload: number; changes: Map<string, Change> };
    const done = new Map<string, Change>();
    const skipped: string[] = [];
    for (const [key, { before, after }] of changes) {
      const isLast = this.#assertedBy.get(key) === upload && this.owners.get(key) === after;
      if (!isLast) skipped.push(key);
      else {
        this.owners.set(key, before);
        done.set(key, { before: after, after: before });
      }
    }
    this.#done.set(job, { upload, changes: done });
    return { restored: [...done.keys()], skipped };
  }
}

interface Change {
  before: string | null;
  after: string | null;
}
