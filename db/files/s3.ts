import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { DEADLINES, type Deadlines, within } from './deadlines.js';
import { isStoreUnavailable } from './errors.js';
import { FOLDERS, isKey } from './keys.js';
import { isMissingObject, toStoreError } from './s3-errors.js';
import { uploadToS3 } from './s3-upload.js';
import type { ByteRange, FileStore, StoredFile } from './store.js';

/** No object has this key, because Muster's names are ids. */
const PROBED = 'uploads/probe';
const CHECK_MS = 1_500;

/**
 * Files in a bucket of S3 or of an S3-compatible server. An object exists only once its upload is complete, so it
 * needs no temporary name. Access keys come from where the AWS tools look for them. Every call has a deadline and
 * fails with StoreUnavailable after it.
 */
export class S3Store implements FileStore {
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #options: S3Options;
  readonly #deadlines: Deadlines;
  #opened: Promise<S3Client> | null = null;
  #openedForChecks: Promise<S3Client> | null = null;

  /** @param url `s3://bucket/prefix?endpoint=https://host&region=eu-central-1`; see `storageUrlError` */
  constructor(url: string, deadlines: Partial<Deadlines> = {}) {
    const { hostname, pathname, searchParams } = new URL(url);
    this.#bucket = hostname;
    this.#prefix = `${pathname.replace(/^\/+|(?<!\/)\/+$/g, '')}/`;
    const region = searchParams.get('region') ?? process.env.AWS_REGION ?? 'us-east-1';
    this.#options = { endpoint: searchParams.get('endpoint') ?? undefined, region };
    this.#deadlines = { ...DEADLINES, ...deadlines };
  }

  async write(key: string, source: Readable): Promise<{ bytes: number }> {
    const client = await this.#client();
    const freeze = { ms: this.#deadlines.frozenWriteMs, ask: () => this.check() };
    return uploadToS3(client, this.#object(key), source, { idleMs: this.#deadlines.idleWriteMs, freeze });
  }

  read(key: string, range?: ByteRange): Readable {
    return Readable.from(this.#chunks(key, range), { objectMode: false });
  }

  async stat(key: string): Promise<StoredFile | null> {
    const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
    try {
      const head = await this.#request((client, abortSignal) =>
        client.send(new HeadObjectCommand(this.#object(key)), { abortSignal }),
      );
      return { bytes: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) };
    } catch (error) {
      if (isMissingObject(error)) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
    await this.#request((client, abortSignal) =>
      client.send(new DeleteObjectCommand(this.#object(key)), { abortSignal }),
    );
  }

  async *list(): AsyncIterable<string> {
    for (const folder of FOLDERS) yield* this.#listFolder(`${this.#prefix}${folder}/`);
  }

  async *#listFolder(prefix: string): AsyncIterable<string> {
    const { ListObjectsV2Command } = await import('@aws-sdk/client-s3');
    let next: string | undefined;
    do {
      const where = { Bucket: this.#bucket, Prefix: prefix, ContinuationToken: next };
      const page = await this.#request((client, abortSignal) =>
        client.send(new ListObjectsV2Command(where), { abortSignal }),
      );
      yield* (page.Contents ?? []).map(({ Key = '' }) => Key.slice(this.#prefix.length)).filter(isKey);
      next = page.NextContinuationToken;
    } while (next);
  }

  /** A missing object and missing rights are responses too: `npm run doctor` checks the rights. */
  async check(): Promise<void> {
    const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
    const stop = new AbortController();
    const head = new HeadObjectCommand(this.#object(PROBED));
    const sent = this.#checker().then((client) => client.send(head, { abortSignal: stop.signal }));
    await within(CHECK_MS, sent, () => stop.abort()).catch((error) => {
      const reason = toStoreError(error);
      if (isStoreUnavailable(reason)) throw reason;
    });
  }

  async *#chunks(key: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    const part = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
    const object = { ...this.#object(key), ...part };
    try {
      const { Body } = await this.#request((client, abortSignal) =>
        client.send(new GetObjectCommand(object), { abortSignal }),
      );
      yield* this.#watched(Body as Readable);
    } catch (error) {
      if (isMissingObject(error)) throw Object.assign(new Error(`no such file: ${key}`), { code: 'ENOENT' });
      throw toStoreError(error);
    }
  }

  /**
   * Passes chunks through. The time that the reader takes for a chunk does not count, so a slow download is not
   * mistaken for a stalled store.
   */
  async *#watched(body: Readable): AsyncGenerator<Uint8Array> {
    const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const { value, done } = await within(this.#deadlines.idleReadMs, chunks.next(), () => {});
        if (done) return;
        yield value;
      }
    } finally {
      body.on('error', () => {}).destroy();
    }
  }

  async #request<T>(send: (client: S3Client, abortSignal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    try {
      const sent = this.#client().then((client) => send(client, stop.signal));
      return await within(this.#deadlines.requestMs, sent, () => stop.abort());
    } catch (error) {
      throw toStoreError(error);
    }
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }

  #client(): Promise<S3Client> {
    this.#opened ??= openS3Client(this.#options);
    return this.#opened;
  }

  /** A separate client, because all retries of a client share a quota: checks during an outage would use up that of the work. */
  #checker(): Promise<S3Client> {
    this.#openedForChecks ??= openS3Client({ ...this.#options, maxAttempts: 1 });
    return this.#openedForChecks;
  }
}

/** No caller waits this long for a request. Its connection is then closed. */
const ABANDONED_AFTER_MS = 120_000;

/**
 * The SDK's own limit of 50 connections would let 50 slow downloads block all other calls to the store. The callers
 * limit the number of connections: the API by `MAX_CONNECTIONS`, a worker by its jobs.
 */
const CONNECTIONS = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };

interface S3Options {
  endpoint: string | undefined;
  region: string;
  /** How often a request is tried. Default: three times. */
  maxAttempts?: number;
}

/** Opens a client. The SDK takes 100 ms to load and 20 MB, so it is loaded on first use. */
async function openS3Client({ endpoint, ...options }: S3Options): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  return new S3Client({
    ...options,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // S3-compatible servers support only the older checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: ABANDONED_AFTER_MS,
      throwOnRequestTimeout: true,
      // A socket timeout would also end a download whose reader is slow.
      socketTimeout: 0,
      httpAgent: CONNECTIONS,
      httpsAgent: CONNECTIONS,
    },
  });
}
