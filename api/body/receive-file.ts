import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type Koa from 'koa';
import { uuidv7 } from 'uuidv7';
import type { FileStore } from '../../db/files/index.js';
import { badRequest, tooLarge } from '../http/errors.js';
import { bodyChunks } from './read-body.js';
import { receiveUpload } from './receive-upload.js';
import { ContentDigest, type Upload } from './upload.js';

const RAW_TYPES = ['text/csv', 'application/gzip'];

/** Returns whether a request declares a CSV file: as the part of a multipart body, or as the body itself. */
export function isFile({ request }: Koa.Context): boolean {
  const type = request.type.toLowerCase();
  return type === 'multipart/form-data' || RAW_TYPES.includes(type);
}

/**
 * Streams an uploaded file to the file store, without holding it in memory.
 * @param limit in bytes, counted after decompression by `Content-Encoding`
 * @throws RequestError 413, 408, 400 `incomplete_body`, `malformed_body`, or as {@link receiveUpload}
 */
export function receiveFile(ctx: Koa.Context, files: FileStore, limit: number): Promise<Upload> {
  const isMultipart = ctx.request.type.toLowerCase() === 'multipart/form-data';
  return isMultipart ? receiveUpload(ctx, files, limit) : receiveBody(ctx, files, limit);
}

async function receiveBody(ctx: Koa.Context, files: FileStore, limit: number): Promise<Upload> {
  const key = `uploads/${uuidv7()}`;
  const content = new ContentDigest();
  let failure: unknown;
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of decodedBody(ctx, limit)) {
        content.add(chunk);
        yield chunk;
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  try {
    await files.write(key, Readable.from(counted(), { objectMode: false }));
  } catch (error) {
    // The store may wrap an error of the body in its own.
    throw failure ?? error;
  }
  return { key, ...content.end() };
}

async function* decodedBody(ctx: Koa.Context, limit: number): AsyncGenerator<Buffer> {
  const body = bodyChunks(ctx, limit);
  if (ctx.get('content-encoding').toLowerCase() !== 'gzip') return yield* body;
  const plain = pipeline(Readable.from(body, { objectMode: false }), createGunzip(), () => {});
  let bytes = 0;
  try {
    for await (const chunk of plain as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > limit) throw tooLarge(limit);
      yield chunk;
    }
  } catch (error) {
    const isDamaged = (error as NodeJS.ErrnoException).code?.startsWith('Z_');
    throw isDamaged ? badRequest('malformed_body', 'The body is not complete gzip data.') : error;
  }
}
