import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import createMulter from '@koa/multer';
import type Koa from 'koa';
import type { MulterError, Options, StorageEngine } from 'multer';
import { uuidv7 } from 'uuidv7';
import { type FileStore, isStoreFull, isStoreUnavailable } from '../../db/files/index.js';
import { badRequest, incompleteBody, RequestError, tooLarge } from '../http/errors.js';
import { cleanFileName } from './file-name.js';
import { isBrokenOff, requireReadable } from './read-body.js';

/** A stored upload. */
export interface Upload {
  key: string;
  bytes: number;
  /**
   * SHA-256 of the file without the multipart envelope: a client that repeats a request may choose another boundary.
   */
  digest: Buffer;
  /** Whether the file starts like a gzip file. */
  isGzip?: boolean;
  /** The name that the client gave the file. */
  fileName?: string | null;
}

/** Bytes that a multipart body may have in addition to its file: boundary and part headers. */
const ENVELOPE_BYTES = 16 * 1024;

/** RFC 1952 §2.3.1. */
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b]);

/**
 * Streams the one file part `file` of a multipart body to the file store, without holding it in memory.
 * @param limit in bytes, counted after decompression; the envelope may take {@link ENVELOPE_BYTES} more
 * @throws RequestError 400 for other parts or none; 413 as soon as the body is known to exceed the limit; 400
 *   `incomplete_body` if the connection is lost before the body is read; 408 once the request's time is over
 */
export async function receiveUpload(ctx: Koa.Context, files: FileStore, limit: number): Promise<Upload> {
  const gzip = ctx.get('content-encoding').toLowerCase() === 'gzip';
  if (!gzip && (ctx.length ?? 0) > limit + ENVELOPE_BYTES) throw tooLarge(limit);
  const engine = new UploadEngine(files, limit);
  const multer = createMulter(multerOptions(engine, limit, gzip));
  const expired: AbortSignal | undefined = ctx.state.expired;
  requireReadable(ctx);
  expired?.addEventListener('abort', () => engine.fail(expired.reason), { once: true });
  try {
    await Promise.race([multer.single('file')(ctx, async () => {}), engine.failed]);
  } catch (first) {
    await engine.discard();
    const error = (await engine.storeFailure()) ?? first;
    throw toRequestError(error, ctx);
  }
  if (!engine.upload) throw badRequest('file_missing', 'Send the CSV as the multipart file part "file".');
  return engine.upload;
}

function multerOptions(engine: UploadEngine, limit: number, gzip: boolean): createMulter.Options {
  const options: Options & { streamHandler: (req: IncomingMessage, busboy: NodeJS.WritableStream) => void } =
    {
      storage: engine,
      // Browsers, curl and fetch send the file name as UTF-8.
      defParamCharset: 'utf8',
      limits: {
        fileSize: limit,
        files: 1,
        fields: 0,
        parts: 1,
        fieldNameSize: 100,
        fieldSize: 0,
        headerPairs: 20,
        fieldNestingDepth: 0,
        fieldArrayIndexLimit: 0,
      } as Options['limits'],
      streamHandler: (req, busboy) => {
        const body = gzip ? gunzip(req, engine) : req;
        countBytes(body, limit, engine);
        body.pipe(busboy);
      },
    };
  // The two type packages have different types for a request; the objects are the same.
  return options as unknown as createMulter.Options;
}

function gunzip(req: IncomingMessage, engine: UploadEngine): Readable {
  const plain = createGunzip();
  plain.on('error', () => engine.fail(badRequest('malformed_body', 'The body is not complete gzip data.')));
  engine.failed.catch(() => {
    req.unpipe(plain);
    plain.destroy();
  });
  return req.pipe(plain);
}

/**
 * Counts what the parser receives. The parser limits only parts, and skips any amount of text before and after them.
 */
function countBytes(body: Readable, limit: number, engine: UploadEngine): void {
  let bytes = 0;
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > limit + ENVELOPE_BYTES) engine.fail(tooLarge(limit));
  });
}

/** The store failed, so the error is not the client's. */
class StoreFailure extends Error {}

/** Tells multer what to do with a file: store it under a key of our own. The client's file name is only shown. */
class UploadEngine implements StorageEngine {
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
    const hash = createHash('sha256');
    let start: Buffer = Buffer.alloc(0);
    const hashed = new Transform({
      transform: (chunk: Buffer, _, next) => {
        hash.update(chunk);
        if (start.length < GZIP_MAGIC.length)
          start = Buffer.concat([start, chunk.subarray(0, GZIP_MAGIC.length)]);
        next(null, chunk);
      },
    });
    pipeline(stream, hashed, () => {});
    this.#storing = this.#files.write(key, hashed).then(
      async ({ bytes }) => {
        const isGzip = start.indexOf(GZIP_MAGIC) === 0;
        this.upload = { key, bytes, digest: hash.digest(), isGzip, fileName: cleanFileName(originalname) };
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

function toRequestError(error: unknown, ctx: Koa.Context): unknown {
  if (error instanceof RequestError) return error;
  if (error instanceof StoreFailure) return isCausedByClient(error, ctx) ? incompleteBody() : error.cause;
  const { code, message, name } = error as MulterError;
  if (code === 'LIMIT_UNEXPECTED_FILE' || code?.startsWith('LIMIT_')) {
    return badRequest(
      'unexpected_part',
      'The body must contain one file part named "file" and nothing else.',
    );
  }
  if (!ctx.req.complete || isBrokenOff(ctx.req)) return incompleteBody();
  if (/boundary not found/i.test(message)) {
    return badRequest(
      'malformed_multipart',
      'The Content-Type header has no multipart boundary. Let the HTTP client set this header.',
    );
  }
  if (name === 'MulterError' || /multipart|boundary|form|header/i.test(message)) {
    return badRequest('malformed_multipart', 'The body is not valid multipart/form-data.');
  }
  return error;
}

/** Returns whether storing failed only because the body ended early. */
const isCausedByClient = ({ cause }: StoreFailure, { req }: Koa.Context): boolean =>
  req.destroyed && !isStoreFull(cause) && !isStoreUnavailable(cause);
