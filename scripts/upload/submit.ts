import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { Access } from './access.js';
import type { Options } from './command-line.js';
import { Unavailable, UploadFailure } from './failure.js';
import { ask, type CompleteResponse } from './http.js';
import { readFile, type SourceFile } from './source-file.js';
import { expectSuccess, pause, pauseMs, retryAfter } from './verdict.js';

export interface SubmitOptions {
  options: Pick<Options, 'dryRun' | 'onError' | 'query' | 'remove'>;
  /** Called with the number of bytes sent so far. */
  onSent(bytes: number): void;
  /** Called with the reason before each further attempt. */
  onRetry(why: string, waitMs: number): void;
}

const maxTries = 5;
/** The API keeps the key of a request that died with its host for up to a minute. */
const inFlightMs = 90_000;

/**
 * Uploads the file and returns the job's id. Every attempt carries the same Idempotency-Key, so there is one job even if the
 * response to an attempt was lost. Makes five attempts, with 15 s of pauses between them.
 * @throws UploadFailure
 */
export async function submit(
  access: Access,
  file: SourceFile,
  options: SubmitOptions,
  stop: AbortSignal,
): Promise<string> {
  const key = randomUUID();
  let inFlightUntil = 0;
  for (let failures = 0; ; ) {
    try {
      const response = await sendOnce(access, file, { ...options, key }, stop);
      if (!isInFlight(response)) return jobIdOf(response, access);
      inFlightUntil ||= Date.now() + inFlightMs;
      if (Date.now() > inFlightUntil) return jobIdOf(response, access);
      await waitFor(
        'The previous attempt still counts as in progress, for up to a minute',
        retryAfter(response.headers['retry-after']) || 2_000,
      );
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      inFlightUntil = 0;
      failures += 1;
      if (failures === maxTries || (failures === 1 && error.unreached)) throw gaveUp(error, failures);
      await waitFor(error.message, pauseMs(failures, error.retryAfterMs, 8_000));
    }
  }

  async function waitFor(why: string, ms: number): Promise<void> {
    options.onRetry(why, ms);
    await pause(ms, stop);
  }
}

function isInFlight({ status, body }: CompleteResponse): boolean {
  return status === 409 && body?.code === 'idempotency_in_flight';
}

function jobIdOf(response: CompleteResponse, { base }: Access): string {
  expectSuccess(response, base);
  const { jobId } = response.body;
  if (typeof jobId === 'string' && /^[\w-]+$/.test(jobId)) return jobId;
  throw new UploadFailure(
    `${base.origin} accepted the upload without returning a job. Is it the address of a Muster server?`,
  );
}

/** Only the first attempt proves that nobody listens: a later one may follow an attempt that was accepted. */
function gaveUp({ message, unreached }: Unavailable, tries: number): UploadFailure {
  if (tries === 1 && unreached) {
    return new UploadFailure(
      `${message}. Is Muster running there? To start it on this machine, run npm start.`,
    );
  }
  return new UploadFailure(`${message}. Gave up after ${tries} attempts. Uploading the file again is safe.`);
}

async function sendOnce(
  access: Access,
  file: SourceFile,
  { options, onSent, key }: SubmitOptions & { key: string },
  stop: AbortSignal,
): Promise<CompleteResponse> {
  const boundary = `muster-${randomUUID()}`;
  const name = escapeName(basename(file.original));
  const disposition = `Content-Disposition: form-data; name="file"; filename="${name}"`;
  const head = Buffer.from(`--${boundary}\r\n${disposition}\r\nContent-Type: text/csv\r\n\r\n`);
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + file.bytes + tail.length),
    'idempotency-key': key,
    prefer: 'respond-async',
  };
  async function* multipart(): AsyncGenerator<Buffer> {
    let sent = 0;
    yield head;
    for await (const piece of readFile(file)) {
      yield piece;
      sent += piece.length;
      onSent(sent);
    }
    yield tail;
  }
  const body = Readable.from(multipart(), { objectMode: false, highWaterMark: 64 * 1024 });
  return ask(
    access,
    { method: options.remove ? 'DELETE' : 'PATCH', path: pathOf(options), headers, body },
    stop,
  );
}

/** Returns a file name as the parameter of a part, escaped as browsers do it (WHATWG HTML, multipart form data). */
const escapeName = (name: string): string =>
  name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');

function pathOf({ dryRun, onError, query }: SubmitOptions['options']): string {
  const parameters = new URLSearchParams({ onError, ...(dryRun ? { dryRun: 'true' } : {}), ...query });
  return `v2/developers/identities?${parameters}`;
}
