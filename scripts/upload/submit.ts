import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Access } from './access.js';
import type { Options } from './command-line.js';
import { Away, UploadFailure } from './failure.js';
import { type Answer, ask } from './http.js';
import { pause, pauseMs } from './pause.js';
import { readFile, type SourceFile } from './source-file.js';
import { expectSuccess, retryAfter } from './verdict.js';

export interface SubmitOptions {
  options: Pick<Options, 'dryRun' | 'onError' | 'charset'>;
  /** Told how many bytes of the file are on their way. */
  onSent(bytes: number): void;
  /** Told why a try failed, before the next one. */
  onRetry(why: string, waitMs: number): void;
}

const maxTries = 5;
/** A request that died with its API host keeps its key for up to a minute. */
const inFlightMs = 90_000;

/**
 * Uploads the file and answers the job's id. Every try carries the same Idempotency-Key, so whatever became of a try
 * whose answer was lost, there is one job. Five tries, 15 s of pauses between them.
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
      const answer = await sendOnce(access, file, { ...options, key }, stop);
      if (!isInFlight(answer)) return jobIdOf(answer, access);
      inFlightUntil ||= Date.now() + inFlightMs;
      if (Date.now() > inFlightUntil) return jobIdOf(answer, access);
      await waitFor(
        'The earlier try still counts as under way, for a minute at most',
        retryAfter(answer.headers['retry-after']) || 2_000,
      );
    } catch (error) {
      if (!(error instanceof Away)) throw error;
      inFlightUntil = 0;
      failures += 1;
      if (failures === maxTries || (failures === 1 && error.unreached)) throw givenUp(error, failures);
      await waitFor(error.message, pauseMs(failures, error.retryAfterMs, 8_000));
    }
  }

  async function waitFor(why: string, ms: number): Promise<void> {
    options.onRetry(why, ms);
    await pause(ms, stop);
  }
}

function isInFlight({ status, body }: Answer): boolean {
  return status === 409 && body?.code === 'idempotency_in_flight';
}

function jobIdOf(answer: Answer, { base }: Access): string {
  expectSuccess(answer, base);
  const { jobId } = answer.body;
  if (typeof jobId === 'string' && /^[\w-]+$/.test(jobId)) return jobId;
  throw new UploadFailure(
    `${base.origin} took the upload and named no job: is that the address of a Muster?`,
  );
}

/** Of the first try alone it is certain that nobody was there; a later one may have followed one that went through. */
function givenUp({ message, unreached }: Away, tries: number): UploadFailure {
  if (tries === 1 && unreached) {
    return new UploadFailure(`${message}: is Muster running there? npm start runs it on this machine.`);
  }
  return new UploadFailure(
    `${message}. Given up after ${tries} tries; uploading the file again does no harm.`,
  );
}

async function sendOnce(
  access: Access,
  file: SourceFile,
  { options, onSent, key }: SubmitOptions & { key: string },
  stop: AbortSignal,
): Promise<Answer> {
  const boundary = `muster-${randomUUID()}`;
  // The service never looks at a file's name; what is sent is what is needed.
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="upload.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': String(head.length + file.bytes + tail.length),
    'idempotency-key': key,
    prefer: 'respond-async',
  };
  async function* multipart(): AsyncGenerator<Buffer> {
    let sent = 0;
    yield Buffer.from(head);
    for await (const piece of readFile(file)) {
      yield piece;
      sent += piece.length;
      onSent(sent);
    }
    yield Buffer.from(tail);
  }
  const body = Readable.from(multipart(), { objectMode: false, highWaterMark: 64 * 1024 });
  return ask(access, { method: 'PATCH', path: pathOf(options), headers, body }, stop);
}

function pathOf({ dryRun, onError, charset }: SubmitOptions['options']): string {
  const query = new URLSearchParams({
    onError,
    ...(dryRun ? { dryRun: 'true' } : {}),
    ...(charset === undefined ? {} : { charset }),
  });
  return `v2/developers/identities?${query}`;
}
