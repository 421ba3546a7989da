import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { DEADLINES, type Deadlines, within } from './deadlines.js';
import { FOLDERS, isKey } from './keys.js';
import { isMissing, toStoreError } from './s3-errors.js';
import { uploadToS3 } from './s3-upload.js';
import type { ByteRange, FileStore, StoredFile } from './store.js';

/** No caller waits this long for a request. Its connection is then closed. */
const ABANDONED_AFTER_MS = 120_000;

/**
 * The SDK's own limit of 50 connections would let 50 slow downloads block all other calls to the store. The callers
 * limit the number of connections: the API by `MAX_CONNECTIONS`, a worker by its jobs.
 */
const CONNECTIONS = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };

/**
 * Files in a bucket of S3 or of an S3-compatible server. An object exists only once its upload is complete, so it
 * needs no temporary name. Access keys come from where the AWS tools look for them. Every call has a deadline and
 * fails with StoreUnavailable after it.
 */
export class S3Store implements FileStore {
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #options: { endpoint: string | undefined; region: string };
  readonly #deadlines: Deadlines;
  #opened: Promise<S3Client> | null = null;

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
    return uploadToS3(client, this.#object(key), source, this.#deadlines.idleWriteMs);
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
      if (isMissing(error)) return null;
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
      if (isMissing(error)) throw Object.assign(new Error(`no such file: ${key}`), { code: 'ENOENT' });
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

  /** The SDK takes 100 ms to load and 20 MB, so it is loaded on first use. */
  #client(): Promise<S3Client> {
    this.#opened ??= import('@aws-sdk/client-s3').then(({ S3Client }) => {
      const { endpoint, region } = this.#options;
      return new S3Client({
        region,
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
    });
    return this.#opened;
  }
}
