import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';

export interface S3Server {
  /** A storage URL on it. There are the buckets `muster` and `other`. */
  url(prefix: string, bucket?: string): string;
  stop(): Promise<void>;
}

/** An S3 server on this machine. It takes one pair of access keys, which it puts where the SDK looks for them. */
export async function startS3(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'muster-s3-'));
  const configureBuckets = [{ name: 'muster' }, { name: 'other' }];
  const server = new S3rver({ address: '127.0.0.1', port: 0, silent: true, directory, configureBuckets });
  const { port } = await server.run();
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  process.env.AWS_ACCESS_KEY_ID = 'S3RVER';
  process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER';
  return {
    url: (prefix, bucket = 'muster') => `s3://${bucket}/${prefix}?endpoint=http://127.0.0.1:${port}`,
    stop: async () => {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
