import { parentPort } from 'node:worker_threads';
import type { RunToWrite, RunWritten } from './run-writer.js';
import { SortedRun, transferOf } from './sorted-run.js';
import { PIECE_BYTES, writeRun } from './stored-run.js';

/** The program of the thread that {@link RunWriter} starts: it sorts one run after another and writes each to a file. */
parentPort?.on('message', ({ folder, memory }: RunToWrite) => {
  const run = new SortedRun(memory);
  const outcome = write(folder, run);
  const written: RunWritten = { outcome, memory: run.memory };
  parentPort?.postMessage(written, transferOf(written.memory));
});

function write(folder: string, run: SortedRun): RunWritten['outcome'] {
  try {
    return { record: writeRun(folder, run.drain(PIECE_BYTES)) };
  } catch (error) {
    // An error that is posted would lose its code.
    const { message, code }: NodeJS.ErrnoException =
      error instanceof Error ? error : new Error(String(error));
    return { error: { message, code } };
  }
}
