import { type Readable, Transform } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import { watchForFreeze, watchProgress } from './deadlines.js';
import { StoreUnavailable } from './errors.js';
import { toStoreError } from './s3-errors.js';

/** Parts of an upload that are held in memory while they are sent. */
const PARTS_AT_ONCE = 2;
/** S3 accepts 10,000 parts, so a file may have 78 GiB. */
const PART_BYTES = 8 * 1024 * 1024;

interface Limits {
  idleMs: number;
  /** Gives up earlier if the store does not even respond to `ask`. */
  freeze: { ms: number | null; ask: () => Promise<unknown> };
}

/**
 * Uploads all of `source` as one object, which appears whole or not at all.
 * @param limits how long the store may hold up the upload, in milliseconds; a slow source does not count
 * @throws the source's own error if it fails; StoreUnavailable, StoreFull
 */
export async function uploadToS3(
  client: S3Client,
  object: { Bucket: string; Key: string },
  source: Readable,
  { idleMs, freeze }: Limits,
): Promise<{ bytes: number }> {
  const { Upload } = await import('@aws-sdk/lib-storage');
  const stop = new AbortController();
  const counted = new ByteCounter();
  const upload = new Upload({
    client: await abortable(client, stop.signal),
    params: { ...object, Body: source.pipe(counted) },
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE,
    abortController: stop,
  });
  let failure: Error | null = null;
  // Ends both the bytes and the requests that carry them.
  const fail = (error: Error): void => {
    failure ??= error;
    counted.destroy(error);
    stop.abort();
  };
  // If a request fails, Upload destroys the source with an error of its own. What matters is why the request failed.
  counted.on('error', () => {});
  source.once('error', fail);
  source.once('close', () => source.readableEnded || fail(new Error('the source was closed early')));
  const isHeldUp = () => counted.isHeldUp;
  const giveUp = (ms: number) => () =>
    fail(new StoreUnavailable(`the file store accepted nothing for ${ms} ms`));
  const progress = watchProgress(idleMs, isHeldUp, giveUp(idleMs));
  const stopFreezeWatch =
    freeze.ms === null ? () => {} : watchForFreeze(freeze.ms, isHeldUp, freeze.ask, giveUp(freeze.ms));
  counted.onMove = progress.moved;
  upload.on('httpUploadProgress', progress.moved);
  try {
    await upload.done();
    return { bytes: counted.bytes };
  } catch (error) {
    source.destroy();
    throw failure ?? toStoreError(error);
  } finally {
    progress.stop();
    stopFreezeWatch();
  }
}

/**
 * Upload starts its requests without a signal. Adds one to all of them except the request that cleans up, which must
 * go through.
 */
async function abortable(client: S3Client, abortSignal: AbortSignal): Promise<S3Client> {
  const { AbortMultipartUploadCommand } = await import('@aws-sdk/client-s3');
  const send = (command: Parameters<S3Client['send']>[0]) =>
    client.send(command, command instanceof AbortMultipartUploadCommand ? {} : { abortSignal });
  return new Proxy(client, { get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)) });
}

class ByteCounter extends Transform {
  bytes = 0;
  onMove = (): void => {};

  /** Whether there are bytes to send that the store does not accept. */
  get isHeldUp(): boolean {
    return this.writableEnded || this.readableLength >= this.readableHighWaterMark;
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.bytes += chunk.length;
    this.onMove();
    done(null, chunk);
  }
}
