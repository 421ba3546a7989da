import type { IncomingMessage } from 'node:http';
import { RequestError, requestTimeout, tooLarge } from '../../http/errors.js';

const CHECK_INTERVAL_MS = 1_000;

interface Reading {
  since: number;
  expire(): void;
}

/** The error for a body whose connection was lost before its end. */
export class TruncatedBody extends RequestError {
  /** The part of the body that was received. */
  readonly start: Buffer;

  constructor(start: Buffer) {
    super(400, 'incomplete_body', 'The body was cut off before its end.');
    this.start = start;
  }
}

/** The bytes of a body so far, in one piece: a sender may split 1 MB into a million chunks, and each `Buffer` takes more than 100 bytes. */
class ReceivedBytes {
  #store: Buffer = Buffer.alloc(0);
  #length = 0;

  push(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    // Nearly all bodies are one chunk, which is not copied.
    if (this.#length === 0) this.#store = chunk;
    else {
      if (length > this.#store.length) this.#grow(length);
      chunk.copy(this.#store, this.#length);
    }
    this.#length = length;
  }

  get bytes(): Buffer {
    return this.#store.subarray(0, this.#length);
  }

  #grow(length: number): void {
    const store = Buffer.allocUnsafe(2 * length);
    this.#store.copy(store, 0, 0, this.#length);
    this.#store = store;
  }
}

/** Reads small bodies with little overhead: no stream iterator, and one timer for all bodies. */
export class EventBodies {
  readonly #readings = new Set<Reading>();
  readonly #timer = setInterval(() => this.#expire(), CHECK_INTERVAL_MS).unref();
  readonly #withinMs: number;

  /** @param withinMs time limit of a body */
  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  /**
   * Reads a body. Calls `reserve` with the number of bytes received so far before keeping them; it may throw.
   * @throws RequestError 413 if the body is larger than `limit` bytes, 400 if it is cut off, 408 if it takes too long
   */
  read(req: IncomingMessage, limit: number, reserve: (bytes: number) => void): Promise<Buffer> {
    return this.#read(req, (chunk, before) => {
      const bytes = before + chunk.length;
      if (bytes > limit) throw tooLarge(limit, 'body');
      reserve(bytes);
      return chunk;
    });
  }

  /**
   * Reads a body, and keeps its first bytes.
   * @throws RequestError 400 if it is cut off, 408 if it takes too long
   */
  readStart(req: IncomingMessage, kept: number): Promise<Buffer> {
    return this.#read(req, (chunk, before) => chunk.subarray(0, Math.max(0, kept - before)));
  }

  /** @param keep returns what is kept of a chunk that comes after so many bytes */
  #read(req: IncomingMessage, keep: (chunk: Buffer, before: number) => Buffer): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const received = new ReceivedBytes();
      let bytes = 0;
      const reading = { since: performance.now(), expire: () => end(requestTimeout()) };
      const end = (error?: Error) => {
        this.#readings.delete(reading);
        req.off('data', take);
        if (error) reject(error);
        else resolve(received.bytes);
      };
      const take = (chunk: Buffer) => {
        try {
          const kept = keep(chunk, bytes);
          bytes += chunk.length;
          if (kept.length > 0) received.push(kept);
        } catch (error) {
          end(error instanceof Error ? error : new Error(String(error)));
        }
      };
      this.#readings.add(reading);
      req.on('data', take);
      req.on('end', () => end());
      req.on('error', () => end(new TruncatedBody(received.bytes)));
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #expire(): void {
    const before = performance.now() - this.#withinMs;
    for (const reading of this.#readings) if (reading.since < before) reading.expire();
  }
}
