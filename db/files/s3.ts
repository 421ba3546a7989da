import { Readable, Transform } from 'node:stream';
import type { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { FOLDERS, isKey } from './keys.js';
import type { ByteRange, FileStore, StoredFile } from './store.js';

/** Parts of an upload that are held in memory while they are on their way. */
const PARTS_AT_ONCE = 2;
/** S3 takes 10,000 parts, so a file may have 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Files in a bucket of S3 or of a server that speaks its language. An object is there when its upload is complete, and not
 * before, so it needs no temporary name. Access keys come from where the AWS tools look for them.
 */
export class S3Store implements FileStore {
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #options: { endpoint: string | undefined; region: string };
  #opened: Promise<S3Client> | null = null;

  /** @param url `s3://bucket/prefix?endpoint=https://host&region=eu-central-1`; see `storageUrlError` */
  constructor(url: string) {
    const { hostname, pathname, searchParams } = new URL(url);
    this.#bucket = hostname;
    this.#prefix = `${pathname.replace(/^\/+|\/+$/g, '')}/`;
    const region = searchParams.get('region') ?? process.env.AWS_REGION ?? 'us-east-1';
    this.#options = { endpoint: searchParams.get('endpoint') ?? undefined, region };
  }

  async write(key: string, source: Readable): Promise<{ bytes: number }> {
    const client = await this.#client();
    const { Upload } = await import('@aws-sdk/lib-storage');
    const counted = new ByteCounter();
    // A source that fails takes the counter, and so the upload, with it.
    source.once('error', (error) => counted.destroy(error));
    const upload = new Upload({
      client,
      params: { ...this.#object(key), Body: source.pipe(counted) },
      partSize: PART_BYTES,
      queueSize: PARTS_AT_ONCE,
    });
    try {
      await upload.done();
      return { bytes: counted.bytes };
    } catch (error) {
      source.destroy();
      throw counted.errored ?? error;
    }
  }

  read(key: string, range?: ByteRange): Readable {
    return Readable.from(this.#chunks(key, range), { objectMode: false });
  }

  async stat(key: string): Promise<StoredFile | null> {
    const { HeadObjectCommand } = await import('@aws-sdk/client-s3');
    try {
      const client = await this.#client();
      const head = await client.send(new HeadObjectCommand(this.#object(key)));
      return { bytes: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) };
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    const { DeleteObjectCommand } = await import('@aws-sdk/client-s3');
    const client = await this.#client();
    await client.send(new DeleteObjectCommand(this.#object(key)));
  }

  async *list(): AsyncIterable<string> {
    const { paginateListObjectsV2 } = await import('@aws-sdk/client-s3');
    for (const folder of FOLDERS) {
      const where = { Bucket: this.#bucket, Prefix: `${this.#prefix}${folder}/` };
      for await (const page of paginateListObjectsV2({ client: await this.#client() }, where)) {
        const keys = (page.Contents ?? []).map(({ Key = '' }) => Key.slice(this.#prefix.length));
        yield* keys.filter(isKey);
      }
    }
  }

  async *#chunks(key: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
    const { GetObjectCommand } = await import('@aws-sdk/client-s3');
    const client = await this.#client();
    const part = range ? { Range: `bytes=${range.start}-${range.end}` } : {};
    try {
      const { Body } = await client.send(new GetObjectCommand({ ...this.#object(key), ...part }));
      yield* Body as Readable;
    } catch (error) {
      throw isMissing(error) ? Object.assign(new Error(`no such file: ${key}`), { code: 'ENOENT' }) : error;
    }
  }

  #object(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }

  /** The SDK takes 100 ms to load and 20 MB, so that is done only where it is used. */
  #client(): Promise<S3Client> {
    this.#opened ??= import('@aws-sdk/client-s3').then(({ S3Client }) => {
      const { endpoint, region } = this.#options;
      return new S3Client({
        region,
        ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
        // Servers that speak S3's language know only the older checksums.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
        requestHandler: { connectionTimeout: 3_000 },
      });
    });
    return this.#opened;
  }
}

class ByteCounter extends Transform {
  bytes = 0;

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.bytes += chunk.length;
    done(null, chunk);
  }
}

const isMissing = (error: unknown): boolean =>
  (error as S3ServiceException)?.$metadata?.httpStatusCode === 404;
