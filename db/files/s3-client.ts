import type { S3Client } from '@aws-sdk/client-s3';

/** No caller waits this long for a request. Its connection is then closed. */
const ABANDONED_AFTER_MS = 120_000;

/**
 * The SDK's own limit of 50 connections would let 50 slow downloads block all other calls to the store. The callers
 * limit the number of connections: the API by `MAX_CONNECTIONS`, a worker by its jobs.
 */
const CONNECTIONS = { keepAlive: true, maxSockets: Number.POSITIVE_INFINITY };

export interface S3Options {
  endpoint: string | undefined;
  region: string;
  /** How often a request is tried. Default: three times. */
  maxAttempts?: number;
}

/** Opens a client. The SDK takes 100 ms to load and 20 MB, so it is loaded on first use. */
export async function openS3Client({ endpoint, ...options }: S3Options): Promise<S3Client> {
  const { S3Client } = await import('@aws-sdk/client-s3');
  return new S3Client({
    ...options,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // S3-compatible servers support only the older checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 3_000,
      requestTimeout: ABANDONED_AFTER_MS,
      throwOnRequestTimeout: true,
      // A socket timeout would also end a download whose reader is slow.
      socketTimeout: 0,
      httpAgent: CONNECTIONS,
      httpsAgent: CONNECTIONS,
    },
  });
}
