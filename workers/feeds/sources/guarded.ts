import { pipeline, type Readable, Transform, type TransformCallback } from 'node:stream';
import { deadlinesOf, type FetchContext } from './fetched-file.js';
import { SourceError } from './source-error.js';

export interface GuardOptions {
  /** For messages, such as a host. */
  name: string;
  /** The size that the source has declared; null: none. */
  bytes: number | null;
  maxBytes: number;
  /** Converts an error of the source. */
  toError: (error: Error) => unknown;
  /** Called after the last byte with the number of all. Rejects if the file is not the one that was opened any more, or not whole. */
  checkEnd?: (bytes: number) => Promise<void>;
}

/**
 * Passes the content of a source through, and fails unless it ends whole, in time, and below the limit. The stream of the source is destroyed with it.
 * @throws SourceError `too_large` at once if the declared size is too large
 */
export function guarded(source: Readable, options: GuardOptions, context: FetchContext): Readable {
  const guard = new Guard(options, context);
  pipeline(source, guard, () => {});
  return guard;
}

/** @throws SourceError `too_large` */
export function checkSize(name: string, bytes: number | null, maxBytes: number): void {
  if (bytes !== null && bytes > maxBytes) throw tooLarge(name, maxBytes);
}

/** Returns the error of a file that has fewer bytes than it should, or more. */
export const endedEarly = (name: string, read: number, bytes: number): SourceError =>
  new SourceError(
    'incomplete',
    `The file of ${name} ended after ${read} of ${bytes} bytes. Nothing of it is used.`,
  );

const tooLarge = (name: string, maxBytes: number): SourceError =>
  new SourceError('too_large', `The file of ${name} is larger than the limit of ${maxBytes} bytes.`);

class Guard extends Transform {
  readonly #options: GuardOptions;
  readonly #stall: NodeJS.Timeout;
  readonly #total: NodeJS.Timeout;
  readonly #stopped: AbortSignal;
  readonly #stop = () => this.destroy(this.#stopped.reason);
  #bytes = 0;

  constructor(options: GuardOptions, context: FetchContext) {
    super();
    const { stallMs, totalMs } = deadlinesOf(context);
    this.#options = options;
    this.#stopped = context.stopped;
    this.#stall = setTimeout(() => {
      const isHeldUp = this.readableLength >= this.readableHighWaterMark || this.writableLength > 0;
      if (isHeldUp) this.#stall.refresh();
      else this.#late(`sent nothing for ${stallMs / 1_000} s`);
    }, stallMs);
    this.#total = setTimeout(() => this.#late(`took longer than ${totalMs / 1_000} s`), totalMs);
    this.#stopped.addEventListener('abort', this.#stop);
    if (this.#stopped.aborted) this.#stop();
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    this.#stall.refresh();
    const { name, maxBytes } = this.#options;
    if (this.#bytes > maxBytes) done(tooLarge(name, maxBytes));
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    const { name, bytes, checkEnd } = this.#options;
    if (bytes !== null && bytes !== this.#bytes) done(endedEarly(name, this.#bytes, bytes));
    else if (checkEnd) checkEnd(this.#bytes).then(() => done(), done);
    else done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#stall);
    clearTimeout(this.#total);
    this.#stopped.removeEventListener('abort', this.#stop);
    const isOurs = error === null || error instanceof SourceError || error === this.#stopped.reason;
    const shown = isOurs ? error : this.#options.toError(error);
    done(shown instanceof Error ? shown : error);
  }

  #late(what: string): void {
    this.destroy(new SourceError('timeout', `${this.#options.name} ${what}, so the transfer was ended.`));
  }
}
