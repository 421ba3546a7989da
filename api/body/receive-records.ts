import { Readable } from 'node:stream';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type Koa from 'koa';
import { uuidv7 } from 'uuidv7';
import type { FileStore } from '../../db/files/index.js';
import { ContentDigest } from '../../workers/text/content-digest.js';
import type { RequestError } from '../http/errors.js';
import { RecordCheck, type RecordRules } from './json/check-records.js';
import { bodyChunks, rejectEncodings } from './read-body.js';
import type { Upload } from './upload.js';

/** The limit of an upload of identities. */
export const JSON_MAX_BYTES = 8 * 1024 * 1024;
/** Bytes that are checked before other requests run: at worst 5,000 tiny records, which take 25 ms. */
const SLICE_BYTES = 16 * 1024;

/** All uploads share one queue, so together they block the event loop no longer than one of them. */
const oneByOne = serialQueue();

/** A JSON upload that was read to its end. */
export interface ReceivedRecords {
  upload: Upload;
  /** Why the upload is rejected; then nothing is stored. */
  error: RequestError | null;
}

/**
 * Streams a JSON array of records to the file store and checks the records on the way. Neither the body nor its
 * records are held in memory, so many uploads at once, and bodies designed to take much memory, cost little.
 *
 * A rejected body is read to its end, because only its complete digest shows whether it repeats an earlier request.
 *
 * @throws RequestError 413, 400 `incomplete_body`, or 408
 * @throws the store's error if it fails before the body is read to its end, even if the records read so far are
 *   invalid
 */
export async function receiveRecords(
  ctx: Koa.Context,
  files: FileStore,
  { limit, ...rules }: RecordRules & { limit: number },
): Promise<ReceivedRecords> {
  rejectEncodings(ctx);
  const check = new RecordCheck(rules);
  const content = new ContentDigest();
  const key = `uploads/${uuidv7()}`;
  let isReadToEnd = false;
  async function* checked(): AsyncGenerator<Buffer> {
    for await (const chunk of bodyChunks(ctx, limit)) {
      content.add(chunk);
      await takeSlices(check, chunk);
      if (!check.isOver) yield chunk;
    }
    isReadToEnd = true;
    const error = check.finish();
    if (error) throw error;
  }
  try {
    await files.write(key, Readable.from(checked(), { objectMode: false }));
  } catch (error) {
    // The store wraps the error in its own. Before the end of the body, the digest covers only a part of it.
    if (!isReadToEnd || !check.error) throw error;
  }
  const { bytes, digest } = content.end();
  return { upload: { key, bytes, digest }, error: check.error };
}

async function takeSlices(check: RecordCheck, chunk: Buffer): Promise<void> {
  for (let at = 0; at < chunk.length && !check.isOver; at += SLICE_BYTES) {
    await oneByOne(async () => {
      await yieldToOthers();
      check.take(chunk.subarray(at, at + SLICE_BYTES));
    });
  }
}

/**
 * Returns a function that runs tasks one after the other. For CPU-bound tasks that yield to the event loop from time to
 * time: several at once would all run in the same turn of the event loop, and delay every other request by the sum of them.
 */
function serialQueue(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (task) => {
    const result = last.then(task);
    last = result.catch(() => {});
    return result;
  };
}
