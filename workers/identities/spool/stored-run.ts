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
import { RunReader } from './run-reader.js';

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

/**
 * Writes a run to a new file.
 *
 * @param pieces of at most {@link PIECE_BYTES}
 */
export function writeRun(folder: string, pieces: Iterable<Buffer>): RunRecord {
  const record: RunRecord = { file: `${randomUUID()}.run`, pieces: [], sum: 0 };
  const file = openSync(join(folder, record.file), 'wx', 0o600);
  try {
    for (const piece of pieces) {
      for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done);
      record.pieces.push(piece.length);
      record.sum = crc32(piece, record.sum);
    }
    return record;
  } finally {
    closeSync(file);
  }
}

/** A sorted run in a file. The file never changes once it is written. */
export class StoredRun {
  readonly record: RunRecord;
  readonly #file: number;

  private constructor(folder: string, record: RunRecord) {
    this.record = record;
    this.#file = openSync(join(folder, record.file), 'r');
  }

  /** Opens a run that this worker has written. */
  static open(folder: string, record: RunRecord): StoredRun {
    return new StoredRun(folder, record);
  }

  /**
   * Opens a run that another worker wrote.
   *
   * @throws Error if the file is missing or differs from what was written: a power failure may have lost a part
   */
  static reopen(folder: string, record: RunRecord): StoredRun {
    const run = new StoredRun(folder, record);
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
