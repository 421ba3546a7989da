import { mkdirSync } from 'node:fs';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { ROW_LAYOUT } from './row-layout.js';
import { RunReader } from './run-reader.js';
import { RunWriter } from './run-writer.js';
import { newRunMemory, SortedRun } from './sorted-run.js';
import { readManifest, type Validation, writeManifest } from './spool-manifest.js';
import { PIECE_BYTES, removeOtherRuns, StoredRun } from './stored-run.js';

/** Where a spool is kept, and what it depends on. */
interface SpoolPlace {
  /** For this spool alone; need not exist. */
  folder: string;
  /** What the rows depend on: a spool continues another one only if their origins are equal. */
  origin: string;
  /** Rows of a run. */
  runRows: number;
  /** See {@link RunWriter}. */
  runWriter: URL;
}

/**
 * The valid rows of an upload, kept in sorted runs between the validation pass and the write pass. The write pass merges the
 * runs, so it does not read and check the upload again. Memory is constant for any upload. The last run is held in memory,
 * so a small upload needs no disk. Full runs go to a folder of this machine, with a manifest for the worker that continues
 * the job if this one is killed. Files are only ever added there, so two workers on one job do not disturb each other.
 *
 * A thread stores one run while the next one is filled. If that fails, the next call that stores anything throws.
 */
export class Spool {
  /** How far a killed worker came, whose runs are in the spool; null if the spool starts empty. */
  validation: Validation | null = null;
  readonly #folder: string;
  readonly #origin: string;
  readonly #runWriter: URL;
  readonly #runs: StoredRun[] = [];
  readonly #runRows: number;
  #run: SortedRun;
  /** The memory of the next run; null while it is being stored, or if there is none yet. */
  #spare: SortedRun | null = null;
  #writer: RunWriter | null = null;
  /** Settles when all rows that were handed over are stored. */
  #stored: Promise<void> = Promise.resolve();

  private constructor({ folder, origin, runRows, runWriter }: SpoolPlace) {
    this.#folder = folder;
    this.#origin = `layout ${ROW_LAYOUT}, ${origin}`;
    this.#runRows = runRows;
    this.#run = this.#newRun();
    this.#runWriter = runWriter;
  }

  static async open(place: SpoolPlace): Promise<Spool> {
    const spool = new Spool(place);
    await spool.#adopt();
    return spool;
  }

  #newRun(): SortedRun {
    return new SortedRun(newRunMemory(this.#runRows));
  }

  /** Whether {@link makeRoom} has to be called before another row is added. */
  get full(): boolean {
    return this.#run.full;
  }

  /** Whether {@link keep} should be called before another batch is added. */
  get nearlyFull(): boolean {
    return this.#run.nearlyFull;
  }

  /** Whether some rows are stored already, so that storing the others as well is worthwhile. */
  get isStored(): boolean {
    return this.#writer !== null || this.#runs.length > 0;
  }

  /** @param place line or index of the row in the upload */
  add(integrationId: number, identity: string, email: string | null, place: number): void {
    this.#run.add(integrationId, identity, email, place);
  }

  /** Hands over all rows to be stored. Resolves when rows can be added again: when those of the call before are stored. */
  async makeRoom(): Promise<void> {
    await this.#handOver(() => {});
  }

  /**
   * Hands over all rows to be stored, with the state of the validation pass, which can resume from here once they are. Resolves
   * as {@link makeRoom}.
   *
   * @param onStored called when they are stored
   */
  async keep(validation: Validation, onStored = (): void => {}): Promise<void> {
    // The pass continues to change its result.
    const then = structuredClone(validation);
    await this.#handOver(() => {
      const runs = this.#runs.map(({ record }) => record);
      writeManifest(this.#folder, { origin: this.#origin, runs, validation: then });
      onStored();
    });
  }

  /** Resolves when all rows that were handed over are stored. Nothing may be handed over after that. */
  async finish(): Promise<void> {
    await this.#stored;
    await this.#endThread();
  }

  /** Returns readers of all runs, in the order in which their rows were added. Call {@link finish} first. */
  readers(): RunReader[] {
    const readers = this.#runs.map((run) => run.reader());
    return this.#run.rows > 0 ? [...readers, RunReader.of(this.#run.drain(PIECE_BYTES))] : readers;
  }

  /** Discards what a killed worker has left. */
  startOver(): void {
    this.#closeRuns();
    this.validation = null;
  }

  /** Closes the files, which stay. Waits for the rows that are being stored, so the next start need not read them again. */
  async close(): Promise<void> {
    await this.#stored.catch(() => {});
    await this.#endThread();
    this.#closeRuns();
  }

  /** @param then called when the rows are stored */
  async #handOver(then: () => void): Promise<void> {
    await this.#stored;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#stored = this.#store().then(then);
    // The next call that hands over, or finishes, gets the error.
    this.#stored.catch(() => {});
  }

  /** Stores all rows. Rows can be added again at once. */
  async #store(): Promise<void> {
    const full = this.#run;
    if (full.rows === 0) return;
    this.#run = this.#spare ?? this.#newRun();
    this.#spare = null;
    this.#writer ??= new RunWriter(this.#runWriter);
    const { record, run } = await this.#writer.write(this.#folder, full);
    this.#runs.push(StoredRun.open(this.#folder, record));
    this.#spare = run;
  }

  async #endThread(): Promise<void> {
    const writer = this.#writer;
    this.#writer = null;
    this.#spare = null;
    await writer?.close();
  }

  #closeRuns(): void {
    for (const run of this.#runs.splice(0)) run.close();
  }

  /** Adopts the runs that the manifest names. If any of it is damaged, the validation pass starts over. */
  async #adopt(): Promise<void> {
    const manifest = readManifest(this.#folder, this.#origin);
    try {
      for (const record of manifest?.runs ?? []) {
        this.#runs.push(StoredRun.reopen(this.#folder, record));
        await yieldToOthers();
      }
      this.validation = manifest?.validation ?? null;
    } catch {
      this.#closeRuns();
    }
    removeOtherRuns(this.#folder, this.#runs);
  }
}
