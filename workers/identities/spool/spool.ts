import { mkdirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ROW_LAYOUT, RunReader, SortedRun } from './sorted-run.js';
import { readManifest, type Validation, writeManifest } from './spool-manifest.js';
import { PIECE_BYTES, removeOtherRuns, StoredRun } from './stored-run.js';

/**
 * The valid rows of an upload, kept in sorted runs between the validation pass and the write pass. The write pass merges the
 * runs, so it does not read and check the upload again. Memory is constant for any upload. The last run is held in memory,
 * so a small upload needs no disk. Full runs go to a folder of this machine, with a manifest for the worker that continues
 * the job if this one is killed. Files are only ever added there, so two workers on one job do not disturb each other.
 */
export class Spool {
  /** How far a killed worker came, whose runs are in the spool; null if the spool starts empty. */
  validation: Validation | null = null;
  readonly #folder: string;
  readonly #origin: string;
  readonly #runs: StoredRun[] = [];
  readonly #run = new SortedRun();

  private constructor(folder: string, origin: string) {
    this.#folder = folder;
    this.#origin = origin;
  }

  /**
   * @param folder for this spool alone; need not exist
   * @param origin what the rows depend on: a spool continues another one only if their origins are equal
   */
  static async open(folder: string, origin: string): Promise<Spool> {
    const spool = new Spool(folder, `layout ${ROW_LAYOUT}, ${origin}`);
    await spool.#adopt();
    return spool;
  }

  /** Whether {@link keep} should be called before another batch is added. */
  get nearlyFull(): boolean {
    return this.#run.nearlyFull;
  }

  /** Whether some rows are stored already, so that storing the others as well is worthwhile. */
  get isStored(): boolean {
    return this.#runs.length > 0;
  }

  /** @param place line or index of the row in the upload */
  add(integrationId: number, identity: string, email: string | null, place: number): void {
    this.#run.add(integrationId, identity, email, place);
    if (this.#run.full) this.#store();
  }

  /** Stores all rows and the state of the validation pass, which can then resume from here. */
  keep(validation: Validation): void {
    if (this.#run.rows > 0) this.#store();
    // Nothing is stored yet if the upload has no valid row.
    else mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const runs = this.#runs.map(({ record }) => record);
    writeManifest(this.#folder, { origin: this.#origin, runs, validation });
  }

  /** Returns readers of all runs, in the order in which their rows were added. Nothing may be added after that. */
  readers(): RunReader[] {
    const readers = this.#runs.map((run) => run.reader());
    return this.#run.rows > 0 ? [...readers, RunReader.of(this.#run.drain(PIECE_BYTES))] : readers;
  }

  /** Discards what a killed worker has left. */
  startOver(): void {
    this.close();
    this.validation = null;
  }

  /** Closes the files, which stay. */
  close(): void {
    for (const run of this.#runs.splice(0)) run.close();
  }

  #store(): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#runs.push(StoredRun.write(this.#folder, this.#run.drain(PIECE_BYTES)));
  }

  /** Adopts the runs that the manifest names. If any of it is damaged, the validation pass starts over. */
  async #adopt(): Promise<void> {
    const manifest = readManifest(this.#folder, this.#origin);
    try {
      for (const record of manifest?.runs ?? []) {
        this.#runs.push(StoredRun.reopen(this.#folder, record));
        await nextTurn();
      }
      this.validation = manifest?.validation ?? null;
    } catch {
      this.close();
    }
    removeOtherRuns(this.#folder, this.#runs);
  }
}
