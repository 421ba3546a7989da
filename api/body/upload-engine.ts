import { pipeline, type Readable, Transform } from 'node:stream';
import type { StorageEngine } from 'multer';
import { uuidv7 } from 'uuidv7';
import { type FileStore, isStoreFull, isStoreUnavailable } from '../../db/files/index.js';
import { tooLarge } from '../http/errors.js';
import { cleanFileName } from './file-name.js';
import { ContentDigest, type Upload } from './upload.js';

/** The store failed, so the error is not the client's. */
export class StoreFailure extends Error {}

/** Tells multer what to do with a file: store it under a key of our own. The client's file name is only shown. */
export class UploadEngine implements StorageEngine {
  upload: Upload | null = null;
  /** Rejects as soon as the upload cannot succeed. multer would report that only after it has read the whole body. */
  readonly failed: Promise<never>;
  readonly #files: FileStore;
  readonly #limit: number;
  #reject: (error: Error) => void = () => {};
  #stream: Readable | null = null;
  #failure: Error | null = null;
  #storing: Promise<void> = Promise.resolve();
  #storeFailure: StoreFailure | null = null;

  /** @param limit in bytes */
  constructor(files: FileStore, limit: number) {
    this.#files = files;
    this.#limit = limit;
    this.failed = new Promise((_, reject) => {
      this.#reject = reject;
    });
    this.failed.catch(() => {});
  }

  fail(error: Error): void {
    this.#failure ??= error;
    this.#stream?.destroy(error);
    this.#reject(error);
  }

  _handleFile(
    _req: unknown,
    { stream, originalname }: Express.Multer.File,
    done: (error?: unknown, info?: object) => void,
  ): void {
    // A part that starts after the failure would be stored for nothing.
    if (this.#failure) return void done(this.#failure);
    this.#stream = stream;
    stream.once('limit', () => this.fail(tooLarge(this.#limit)));
    const key = `uploads/${uuidv7()}`;
    const content = new ContentDigest();
    const digested = new Transform({
      transform: (chunk: Buffer, _, next) => {
        content.add(chunk);
        next(null, chunk);
      },
    });
    pipeline(stream, digested, () => {});
    this.#storing = this.#files.write(key, digested).then(
      async () => {
        this.upload = { key, ...content.end(), fileName: cleanFileName(originalname) };
        if (this.#failure) await this.discard();
        done(this.#failure, {});
      },
      (cause) => {
        const failure = new StoreFailure('the upload could not be stored', { cause });
        // Fails at once. Otherwise the parser would first read the body to its end, for nothing.
        if (isStoreFull(cause) || isStoreUnavailable(cause)) {
          this.#storeFailure = failure;
          this.fail(failure);
        }
        done(failure);
      },
    );
  }

  _removeFile(_req: unknown, _file: unknown, done: (error: Error | null) => void): void {
    this.discard().then(() => done(null), done);
  }

  /**
   * Returns the error of the store, if it failed. The store destroys the stream, and the parser may report that
   * earlier as a broken body.
   */
  async storeFailure(): Promise<StoreFailure | null> {
    await this.#storing;
    return this.#storeFailure;
  }

  /** Removes the file if it is already stored. If that fails, upkeep removes it. */
  async discard(): Promise<void> {
    const key = this.upload?.key;
    this.upload = null;
    if (key) await this.#files.remove(key).catch(() => {});
  }
}
