import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type Koa from 'koa';
import { uuidv7 } from 'uuidv7';
import type { FileStore } from '../../db/files/index.js';
import { isKnownCharset } from '../../workers/identities/record/charset.js';
import { ContentDigest } from '../../workers/text/content-digest.js';
import { tooLarge } from '../http/errors.js';
import { unknownCharset } from './file-headers.js';
import { openFile } from './open-file.js';
import type { Upload } from './upload.js';

/** What the service and the query say about an uploaded file. */
interface Expected {
  /** In bytes. */
  limit: number;
  /** The charset that the query names. */
  charset: string | undefined;
}

/**
 * Streams an uploaded file to the file store, without holding it in memory.
 * @throws RequestError as {@link openFile}
 */
export async function receiveFile(
  ctx: Koa.Context,
  files: FileStore,
  { limit, charset: asked }: Expected,
): Promise<Upload> {
  if (asked !== undefined && !isKnownCharset(asked)) throw unknownCharset(asked, 'the query');
  const { content, fileName, charset } = await openFile(ctx, limit, asked);
  return { ...(await store(content, files, limit)), fileName, charset };
}

async function store(content: AsyncGenerator<Buffer>, files: FileStore, limit: number): Promise<Upload> {
  const key = `uploads/${uuidv7()}`;
  const digest = new ContentDigest();
  let bytes = 0;
  let failure: unknown;
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of content) {
        bytes += chunk.length;
        if (bytes > limit) throw tooLarge(limit);
        digest.add(chunk);
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
  return { key, ...digest.end() };
}

/**
 * Returns the decompressed size of a stored gzip file, in bytes. It stops counting beyond `limit`, so the result is
 * exact only up to there. It takes 7 ms of CPU per MB, outside the event loop. For a damaged file it counts what
 * comes before the damage, which the worker reports.
 */
export async function unpackedSize(files: FileStore, key: string, limit: number): Promise<number> {
  let size = 0;
  const unpacked = pipeline(files.read(key), createGunzip(), () => {});
  try {
    for await (const chunk of unpacked) {
      size += chunk.length;
      if (size > limit) break;
    }
  } catch {
    return size;
  }
  return size;
}
