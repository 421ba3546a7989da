import { Readable } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { DEADLINES, type Deadlines, within } from './deadlines.js';
import { isStoreUnavailable } from './errors.js';
import { FOLDERS, isKey } from './keys.js';
import { openS3Client, type S3Options } from './s3-client.js';
import { isMissing, toStoreError } from './s3-errors.js';
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
