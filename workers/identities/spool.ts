import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RunReader, SortedRun } from './sorted-run.js';

const PIECE_BYTES = 128 * 1024;

/** Where one sorted run lies in the spool's file: pieces of whole rows. */
type Pieces = { at: number; bytes: number }[];

/**
 * The good rows of an upload, kept in sorted runs in a temporary file of this machine between the two passes, so that
 * the second need not read and check the upload again: it merges the runs. Memory stays the same for any upload.
 */
export class Spool {
  readonly #file = openUnnamed();
  readonly #runs: Pieces[] = [];
  readonly #run = new SortedRun();
  #end = 0;

  add(integrationId: number, identity: string, email: string | null): void {
    this.#run.add(integrationId, identity, email);
    if (this.#run.full) this.#spill();
  }

  /** Readers of all runs, in the order in which their rows were added. */
  readers(): RunReader[] {
    if (this.#run.rows > 0) this.#spill();
    return this.#runs.map((pieces) => this.#reader(pieces));
  }

  /** Ends the file. */
  close(): void {
    closeSync(this.#file);
  }

  #spill(): void {
    const pieces: Pieces = [];
    for (const piece of this.#run.drain(PIECE_BYTES)) {
      for (let done = 0; done < piece.length; ) {
        done += writeSync(this.#file, piece, done, piece.length - done, this.#end + done);
      }
      pieces.push({ at: this.#end, bytes: piece.length });
      this.#end += piece.length;
    }
    this.#runs.push(pieces);
  }

  #reader(pieces: Pieces): RunReader {
    const buffer = Buffer.allocUnsafe(PIECE_BYTES);
    let next = 0;
    return new RunReader(() => {
      const piece = pieces[next++];
      if (!piece) return null;
      const read = readSync(this.#file, buffer, 0, piece.bytes, piece.at);
      if (read !== piece.bytes)
        throw new Error('the temporary file of an import is shorter than it was written');
      return buffer.subarray(0, piece.bytes);
    });
  }
}

/** A file that has lost its name already: the system takes it away with its process, however that ends. */
function openUnnamed(): number {
  const folder = mkdtempSync(join(tmpdir(), 'muster-import-'));
  try {
    return openSync(join(folder, 'runs'), 'w+', 0o600);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
