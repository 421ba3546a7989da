import { readJobLoad } from '../../db/jobs/job-load.js';
import { RequestError } from '../http/errors.js';
import type { ApiServices } from '../services.js';

/** Jobs end all the time, but files are kept for hours or days. */
const RETRY_AFTER_S = { too_many_open_jobs: 10, too_much_stored: 3_600 } as const;

/**
 * Checks that an API key may have one more job, and may store `moreBytes` more. Concurrent requests may exceed the
 * limits by their own number.
 * @param moreBytes the size of the upload
 * @throws RequestError 429 `too_many_open_jobs` or `too_much_stored`
 */
export async function checkJobLimits(
  { database, settings }: Pick<ApiServices, 'database' | 'settings'>,
  apiKeyId: string,
  moreBytes = 0,
): Promise<void> {
  const { openJobs, storedBytes } = await readJobLoad(database, apiKeyId);
  const { keyMaxOpenJobs, keyMaxStoredBytes } = settings;
  if (openJobs >= keyMaxOpenJobs)
    throw limitReached(
      'too_many_open_jobs',
      `This API key has ${openJobs} open jobs, and the limit is ${keyMaxOpenJobs}. Wait until some have ended, or cancel some. GET /v2/jobs lists them.`,
    );
  // The size of a result is unknown before it is written.
  if (storedBytes + Math.max(moreBytes, 1) > keyMaxStoredBytes)
    throw limitReached(
      'too_much_stored',
      `The uploads and results of this API key take ${storedBytes} bytes, and the limit is ${keyMaxStoredBytes}. Wait until its uploads are processed and its older results have expired.`,
    );
}

const limitReached = (code: keyof typeof RETRY_AFTER_S, message: string): RequestError =>
  new RequestError(429, code, message, { headers: { 'Retry-After': String(RETRY_AFTER_S[code]) } });
