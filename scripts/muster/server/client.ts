import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Access } from '../../upload/access.js';
import { Unavailable } from '../../upload/failure.js';
import { ask, type CompleteResponse } from '../../upload/http.js';
import { expectSuccess, pause, pauseMs } from '../../upload/verdict.js';

const ATTEMPTS = 5;
const MAX_PAUSE_MS = 10_000;
const POLL_MS = 200;

interface Sent {
  headers?: Record<string, string>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as CSV. */
  csv?: Buffer;
  /** Statuses, in addition to 2xx, that the caller interprets. */
  expected?: readonly number[];
}

/** Muster, as seen by a command: JSON in, JSON out. Every call may be repeated, because none does something twice. */
export class MusterServer {
  readonly #access: Access;
  readonly #stop: AbortSignal;

  constructor(access: Access, stop: AbortSignal) {
    this.#access = access;
    this.#stop = stop;
  }

  get address(): string {
    return this.#access.base.href.replace(/\/$/, '');
  }

  /**
   * Sends a request, and again if it gets no response.
   * @throws Unavailable, or UploadFailure if Muster rejects it
   */
  async send(
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    path: string,
    sent: Sent = {},
  ): Promise<CompleteResponse> {
    const { json, csv, headers = {}, expected = [] } = sent;
    const content = json === undefined ? csv : Buffer.from(JSON.stringify(json));
    const type = content && {
      'content-type': csv ? 'text/csv' : 'application/json',
      'content-length': String(content.length),
    };
    return this.#repeat(async () => {
      const call = { method, path: path.replace(/^\//, ''), headers: { ...headers, ...type } };
      const body = content ? { body: Readable.from([content]) } : {};
      const response = await ask(this.#access, { ...call, ...body }, this.#stop);
      if (response.status !== 204 && !expected.includes(response.status))
        expectSuccess(response, this.#access.base);
      return response;
    });
  }

  async get(path: string): Promise<CompleteResponse['body']> {
    return (await this.send('GET', path)).body.data;
  }

  /** Returns all entries of a list; null if the key may not read it. */
  async list(path: string): Promise<CompleteResponse['body'][] | null> {
    const found = [];
    for (let next: string | null = `${path}?pageSize=200`; next !== null; ) {
      const { status, body }: CompleteResponse = await this.send('GET', next, { expected: [403] });
      if (status === 403) return null;
      found.push(...body.data);
      const { nextCursor } = body.page;
      next = nextCursor === null ? null : `${path}?pageSize=200&cursor=${encodeURIComponent(nextCursor)}`;
    }
    return found;
  }

  /** Returns a file as text; null if the key may not read it. */
  async download(path: string): Promise<string | null> {
    return this.#repeat(async () => {
      const sink = new PassThrough();
      const content = text(sink);
      const response = await ask(
        this.#access,
        { method: 'GET', path: path.replace(/^\//, '') },
        this.#stop,
        () => sink,
      );
      if (response.status !== 200) {
        sink.end();
        if (response.status === 403) return null;
        expectSuccess(response, this.#access.base);
      }
      return content;
    });
  }

  /** Returns a job once it has ended. */
  async ended(id: string): Promise<CompleteResponse['body']> {
    for (;;) {
      const job = await this.get(`/v2/jobs/${id}`);
      if (job.finishedAt !== null) return job;
      await this.pause(POLL_MS);
    }
  }

  /** Waits before a job is asked for again. */
  pause = (ms: number): Promise<void> => pause(ms, this.#stop);

  async #repeat<Result>(attempt: () => Promise<Result>): Promise<Result> {
    for (let failures = 1; ; failures++) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof Unavailable) || failures === ATTEMPTS) throw error;
        await this.pause(pauseMs(failures, error.retryAfterMs, MAX_PAUSE_MS));
      }
    }
  }
}
