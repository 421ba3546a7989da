import { S3Server } from './s3-server.js';

export interface TestS3 {
  server: S3Server;
  /** Returns a storage URL on it: a prefix in a bucket. Default port: its own. */
  url(prefix: string, bucket?: string, port?: number): string;
  stop(): Promise<void>;
}

/** Starts an S3 server on this machine, and puts access keys where the SDK looks for them. */
export async function startS3(): Promise<TestS3> {
  const server = new S3Server();
  await server.listen();
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
  process.env.AWS_ACCESS_KEY_ID = 'muster-test';
  process.env.AWS_SECRET_ACCESS_KEY = 'muster-test';
  return {
    server,
    url: (prefix, bucket = 'muster', port = server.port) =>
      `s3://${bucket}/${prefix}?endpoint=http://127.0.0.1:${port}`,
    stop: () => server.stop(),
  };
}
