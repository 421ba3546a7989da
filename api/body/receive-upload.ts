import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import createMulter from '@koa/multer';
import type Koa from 'koa';
import type { MulterError, Options } from 'multer';
import { type FileStore, isStoreFull, isStoreUnavailable } from '../../db/files/index.js';
import { badRequest, incompleteBody, RequestError, tooLarge } from '../http/errors.js';
import { isBrokenOff, requireReadable } from './read-body.js';
import type { Upload } from './upload.js';
import { StoreFailure, UploadEngine } from './upload-engine.js';

/** Bytes that a multipart body may have in addition to its file: boundary and part headers. */
const ENVELOPE_BYTES = 16 * 1024;

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
