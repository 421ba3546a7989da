import type { S3ServiceException } from '@aws-sdk/client-s3';
import { StoreFull, StoreUnavailable } from './errors.js';

/** Network errors, as Node names them. The SDK may wrap an error so that only its message contains the code. */
const NETWORK =
  /\b(?:ECONNREFUSED|ECONNRESET|ECONNABORTED|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_STREAM_PREMATURE_CLOSE)\b/;
const NETWORK_NAMES = new Set(['TimeoutError', 'AbortError', 'RequestTimeout', 'SlowDown']);
const TOO_MANY_REQUESTS = 429;
/** An S3-compatible server does not support the operation. Waiting does not help. */
const NOT_IMPLEMENTED = 501;
const INSUFFICIENT_STORAGE = 507;

/**
 * Converts an error of the SDK to one of the store. Other errors, such as a wrong access key, are returned unchanged.
 */
export function toStoreError(error: unknown): unknown {
  const { name, message, code = '', $metadata } = (error ?? {}) as S3ServiceException & { code?: string };
  const status = $metadata?.httpStatusCode ?? 0;
  if (status === INSUFFICIENT_STORAGE) return new StoreFull('the file store is full', { cause: error });
  if (
    (status >= 500 && status !== NOT_IMPLEMENTED) ||
    status === TOO_MANY_REQUESTS ||
    NETWORK.test(`${code} ${message}`) ||
    NETWORK_NAMES.has(name)
  )
    return new StoreUnavailable(`the file store is unavailable (${code || name})`, { cause: error });
  return error;
}

export const isMissingObject = (error: unknown): boolean =>
  (error as S3ServiceException)?.$metadata?.httpStatusCode === 404;
