import type { IncomingMessage } from 'node:http';
import { RequestError, requestTimeout, tooLarge } from '../http/errors.js';

const LOOK_EVERY_MS = 1_000;

interface Reading {
  since: number;
  expire(): void;
}

/** A body whose connection was lost before its end. */
export class BrokenOff extends RequestError {
  /** What came of it. */
  readonly begin: Buffer;

  constructor(begin: Buffer) {
    super(400, 'incomplete_body', 'The body broke off before its end.');
    this.begin = begin;
  }
}

/** Reads small bodies with as little around them as can be: no stream iterator, and one timer for all of them. */
export class EventBodies {
  readonly #readings = new Set<Reading>();
  readonly #timer = setInterval(() => this.#expire(), LOOK_EVERY_MS).unref();
  readonly #withinMs: number;

  /** @param withinMs how long a body may take */
  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  /**
   * The whole body. 413 beyond `limit` bytes, 400 when it breaks off, 408 when it takes too long; `room` is asked
   * before bytes beyond those announced by Content-Length are kept, and may throw.
   */
  read(req: IncomingMessage, limit: number, room: (bytes: number) => void): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const reading = { since: Date.now(), expire: () => end(requestTimeout()) };
      const end = (error?: Error) => {
        this.#readings.delete(reading);
        req.off('data', take);
        if (error) reject(error);
        else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
      };
      const take = (chunk: Buffer) => {
        bytes += chunk.length;
        try {
          if (bytes > limit) throw tooLarge(limit, 'body');
          room(bytes);
          chunks.push(chunk);
        } catch (error) {
          end(error as Error);
        }
      };
      this.#readings.add(reading);
      req.on('data', take);
      req.on('end', () => end());
      req.on('error', () => end(new BrokenOff(Buffer.concat(chunks))));
    });
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #expire(): void {
    const before = Date.now() - this.#withinMs;
    for (const reading of this.#readings) if (reading.since < before) reading.expire();
  }
}
