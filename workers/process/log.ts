import { write, writeSync } from 'node:fs';
import { type Logger, pino } from 'pino';

const STDOUT = 1;
const sinks: LogSink[] = [];

/** Returns the number of log lines that this process could not write. */
export const droppedLogLines = (): number => sinks.reduce((total, sink) => total + sink.droppedLines, 0);

/**
 * Opens the log of a process: JSON lines on standard output. Logging never blocks and never fails; lines that cannot be
 * written are counted, and one line reports their number once the log can be written again.
 */
export function createLog(name: string, level: string): Logger {
  const sink = new LogSink(STDOUT, ({ lines, code }) => {
    log.warn({ dropped: lines, code }, 'log lines were dropped because the log could not be written');
  });
  const log = pino({ name, level }, sink);
  sinks.push(sink);
  process.on('exit', () => sink.flushOnExit());
  // What Node itself prints goes to the same full disk, and an `error` event without a listener ends the process.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  return log;
}

/** Lines that wait to be written. Beyond that, new lines are dropped. */
const MAX_HELD_BYTES = 1024 * 1024;
const RETRY_AFTER_MS = 1_000;
/** A full pipe has space again as soon as its reader has read. */
const RETRY_PIPE_AFTER_MS = 50;
/** A write that takes longer is stuck: its reader does not read. */
const STUCK_AFTER_MS = 1_000;

/** Lines that were dropped, and the error code of the writes that failed. */
export interface Dropped {
  lines: number;
  code: string;
}

/**
 * Writes log lines to a file descriptor without ever blocking or failing. While the descriptor takes nothing (the disk is
 * full, or nobody reads the pipe) it holds up to 1 MiB and drops what exceeds that. It retries every second.
 *
 * pino's own destination retries synchronously on ENOSPC: a full log disk froze the process, then killed it.
 */
export class LogSink {
  /** Lines dropped since the start. */
  droppedLines = 0;
  readonly #fd: number;
  readonly #onWritable: (dropped: Dropped) => void;
  readonly #waiting: string[] = [];
  #waitingBytes = 0;
  /** The lines being written, without what has been written of them already. */
  #batch: Buffer = Buffer.alloc(0);
  #state: 'idle' | 'writing' | 'failing' = 'idle';
  #writingSince = 0;
  #lastCode = 'EAGAIN';
  #reportedLines = 0;

  /** @param onWritable called once after lines were dropped, when the descriptor takes lines again */
  constructor(fd: number, onWritable: (dropped: Dropped) => void) {
    this.#fd = fd;
    this.#onWritable = onWritable;
  }

  /** Whether the last write failed and the next attempt is pending. */
  get isFailing(): boolean {
    return this.#state === 'failing';
  }

  /** Takes one line, newline included. */
  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#waitingBytes + bytes > MAX_HELD_BYTES) {
      this.droppedLines += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += bytes;
    if (this.#state === 'idle') this.#writeNext();
  }

  /** Writes what is held when the process exits: one attempt, because a retry would hang the exit. */
  flushOnExit(): void {
    const isWriting = this.#state === 'writing';
    if (isWriting && performance.now() - this.#writingSince > STUCK_AFTER_MS) return;
    // Node completes the write that is under way before the process exits.
    const batch = isWriting ? [] : [this.#batch];
    try {
      writeSync(this.#fd, Buffer.concat([...batch, this.#takeWaiting()]));
    } catch {}
  }

  #writeNext(): void {
    if (this.#batch.length === 0) this.#batch = this.#takeWaiting();
    if (this.#batch.length === 0) {
      this.#state = 'idle';
      return;
    }
    this.#state = 'writing';
    this.#writingSince = performance.now();
    write(this.#fd, this.#batch, (error, written) => (error ? this.#fail(error) : this.#advance(written)));
  }

  #advance(written: number): void {
    this.#batch = this.#batch.subarray(written);
    this.#writeNext();
    // After the rest of a half-written line, because the report must be a separate line.
    if (this.#batch.length === 0) this.#report();
  }

  #fail({ code = 'unknown' }: NodeJS.ErrnoException): void {
    this.#state = 'failing';
    this.#lastCode = code;
    const afterMs = code === 'EAGAIN' ? RETRY_PIPE_AFTER_MS : RETRY_AFTER_MS;
    setTimeout(() => this.#writeNext(), afterMs).unref();
  }

  #report(): void {
    const lines = this.droppedLines - this.#reportedLines;
    if (lines === 0) return;
    this.#reportedLines = this.droppedLines;
    this.#onWritable({ lines, code: this.#lastCode });
  }

  #takeWaiting(): Buffer {
    const batch = Buffer.from(this.#waiting.splice(0).join(''));
    this.#waitingBytes = 0;
    return batch;
  }
}
