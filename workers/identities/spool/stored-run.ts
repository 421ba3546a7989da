import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { RunReader } from './sorted-run.js';

/** Rows are written and read in pieces of this size. */
export const PIECE_BYTES = 64 * 1024;

/** What is needed to read a stored run again. */
export interface RunRecord {
  /** The name of its file, which is unique. */
  file: string;
  /** The sizes of its pieces, which contain whole rows. */
  pieces: number[];
  /** The CRC-32 of the whole file. */
  sum: number;
}

/** A sorted run in a file. The file never changes once it is written. */
export class StoredRun {
  readonly record: RunRecord;
  readonly #file: number;

  private constructor(record: RunRecord, file: number) {
    this.record = record;
    this.#file = file;
  }

  /**
   * Writes a run to a new file.
   *
   * @param pieces of at most {@link PIECE_BYTES}
   */
  static write(folder: string, pieces: Iterable<Buffer>): StoredRun {
    const record: RunRecord = { file: `${randomUUID()}.run`, pieces: [], sum: 0 };
    const run = new StoredRun(record, openSync(join(folder, record.file), 'wx+', 0o600));
    try {
      for (const piece of pieces) run.#append(piece);
      return run;
    } catch (error) {
      run.close();
      throw error;
    }
  }

  /**
   * Opens a run that another worker wrote.
   *
   * @throws Error if the file is missing or differs from what was written: a power failure may have lost a part
   */
  static reopen(folder: string, record: RunRecord): StoredRun {
    const run = new StoredRun(record, openSync(join(folder, record.file), 'r'));
    try {
      run.#check();
      return run;
    } catch (error) {
      run.close();
      throw error;
    }
  }

  reader(): RunReader {
    return RunReader.of(this.#pieces());
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(piece: Buffer): void {
    for (let done = 0; done < piece.length; ) done += writeSync(this.#file, piece, done);
    this.record.pieces.push(piece.length);
    this.record.sum = crc32(piece, this.record.sum);
  }

  #check(): void {
    let sum = 0;
    let bytes = 0;
    for (const piece of this.#pieces()) {
      sum = crc32(piece, sum);
      bytes += piece.length;
    }
    if (sum !== this.record.sum || fstatSync(this.#file).size !== bytes) throw damaged();
  }

  /** Yields one piece after another in the same buffer. */
  *#pieces(): Generator<Buffer> {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    let at = 0;
    for (const size of this.record.pieces) {
      if (readSync(this.#file, buffer, 0, size, at) !== size) throw damaged();
      yield buffer.subarray(0, size);
      at += size;
    }
  }
}

/** Removes the other runs in a folder, which killed workers have left. */
export function removeOtherRuns(folder: string, runs: readonly StoredRun[]): void {
  const named = new Set(runs.map(({ record }) => record.file));
  const found = existsSync(folder) ? readdirSync(folder) : [];
  for (const file of found)
    if (!named.has(file) && file.endsWith('.run')) rmSync(join(folder, file), { force: true });
}

const damaged = (): Error => new Error('a temporary file of an import is damaged');
