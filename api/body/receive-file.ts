import { Readable } from 'node:stream';
import type Koa from 'koa';
import { uuidv7 } from 'uuidv7';
import type { FileStore } from '../../db/files/index.js';
import { isKnownCharset } from '../../workers/identities/record/charset.js';
import { tooLarge } from '../http/errors.js';
import { unknownCharset } from './file-headers.js';
import { openFile } from './open-file.js';
import { ContentDigest, type Upload } from './upload.js';

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
