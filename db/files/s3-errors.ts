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

/** An error of the SDK or of the network; what was thrown may have none of these. */
type StorageError = Partial<Pick<S3ServiceException, 'name' | 'message' | '$metadata'>> & { code?: string };

const asStorageError = (error: unknown): StorageError =>
  typeof error === 'object' && error !== null ? error : {};

/**
 * Converts an error of the SDK to one of the store. Other errors, such as a wrong access key, are returned unchanged.
 */
export function toStoreError(error: unknown): unknown {
  const { name = '', message, code = '', $metadata } = asStorageError(error);
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
  asStorageError(error).$metadata?.httpStatusCode === 404;
