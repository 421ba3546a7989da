import { mkdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ROW_LAYOUT, RunReader, SortedRun } from './sorted-run.js';
import { readManifest, type Surveyed, writeManifest } from './spool-manifest.js';
import { PIECE_BYTES, removeOtherRuns, StoredRun } from './stored-run.js';

/**
 * The good rows of an upload, kept in sorted runs between the two passes, so that the second need not read and check
 * the upload again: it merges the runs. Memory stays the same for any upload; the last run is held in it, so that a
 * small upload needs no disk. Full ones go into a folder of this machine, with a manifest for whoever takes up the job
 * when its worker was killed. Files there are only added, so two workers on one job do each other no harm.
 */
export class Spool {
  /** How far a killed worker came, whose runs are in the spool; null when it starts empty. */
  surveyed: Surveyed | null = null;
  readonly #folder: string;
  readonly #origin: string;
  readonly #runs: StoredRun[] = [];
  readonly #run = new SortedRun();

  private constructor(folder: string, origin: string) {
    this.#folder = folder;
    this.#origin = origin;
  }

  /**
   * @param folder for this spool alone; need not be there
   * @param origin what the rows depend on: one spool is the continuation of another if it is the same
   */
  static async open(folder: string, origin: string): Promise<Spool> {
    const spool = new Spool(folder, `layout ${ROW_LAYOUT}, ${origin}`);
    await spool.#adopt();
    return spool;
  }

  /** Whether it is time to {@link keep} what there is, before another batch is added. */
  get nearlyFull(): boolean {
    return this.#run.nearlyFull;
  }

  /** Whether rows had to be stored, so that it is worth to keep the others as well. */
  get isStored(): boolean {
    return this.#runs.length > 0;
  }

  /** @param place line or index of the row in the upload */
  add(integrationId: number, identity: string, email: string | null, place: number): void {
    this.#run.add(integrationId, identity, email, place);
    if (this.#run.full) this.#store();
  }

  /** Stores all rows and how far the pass is, so that it can be taken up from here. */
  keep(surveyed: Surveyed): void {
    if (this.#run.rows > 0) this.#store();
    const runs = this.#runs.map(({ record }) => record);
    writeManifest(this.#folder, { origin: this.#origin, runs, surveyed });
  }

  /** Readers of all runs, in the order in which their rows were added; nothing may be added any more. */
  readers(): RunReader[] {
    const readers = this.#runs.map((run) => run.reader());
    return this.#run.rows > 0 ? [...readers, RunReader.of(this.#run.drain(PIECE_BYTES))] : readers;
  }

  /** Forgets all that a killed worker has left. */
  startOver(): void {
    this.close();
    this.surveyed = null;
  }

  /** Ends the reading; what is stored stays. */
  close(): void {
    for (const run of this.#runs.splice(0)) run.close();
  }

  #store(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#runs.push(StoredRun.write(this.#folder, this.#run.drain(PIECE_BYTES)));
  }

  /** Takes over what the manifest names. Whatever is wrong with it, the pass can start over. */
  async #adopt(): Promise<void> {
    const manifest = readManifest(this.#folder, this.#origin);
    try {
      for (const record of manifest?.runs ?? []) {
        this.#runs.push(StoredRun.reopen(this.#folder, record));
        await nextTurn();
      }
      this.surveyed = manifest?.surveyed ?? null;
    } catch {
      this.close();
    }
    removeOtherRuns(this.#folder, this.#runs);
  }
}
