import type { UploadLink } from '../../db/access/upload-links.js';
import { readJobLoad } from '../../db/jobs/job-load.js';
import { RequestError } from '../http/errors.js';
import type { ApiServices } from '../services.js';

/** Jobs end all the time, but files are kept for hours or days. */
const RETRY_AFTER_S = { too_many_open_jobs: 10, too_much_stored: 3_600 } as const;

/** What an upload link may have: a person sends one file after the other. */
const LINK_OPEN_JOBS = 5;
const LINK_STORED_FILES = 2;

/**
 * Checks that an API key may have one more job, and may store `moreBytes` more. Concurrent requests may exceed the
 * limits by their own number.
 * @param moreBytes the size of the upload
 * @param uploadLink if the id is that of a link, which has smaller limits
 * @throws RequestError 429 `too_many_open_jobs` or `too_much_stored`
 */
export async function checkJobLimits(
  { database, settings }: Pick<ApiServices, 'database' | 'settings'>,
  apiKeyId: string,
  moreBytes = 0,
  uploadLink?: UploadLink,
): Promise<void> {
  const { openJobs, storedBytes } = await readJobLoad(database, apiKeyId);
  const { what, maxOpenJobs, maxStoredBytes } = limitsOf(settings, uploadLink);
  if (openJobs >= maxOpenJobs)
    throw limitReached(
      'too_many_open_jobs',
      `This ${what} has ${openJobs} open jobs, and the limit is ${maxOpenJobs}. Wait until some have ended${uploadLink ? '.' : ', or cancel some. GET /v2/jobs lists them.'}`,
    );
  // The size of a result is unknown before it is written.
  if (storedBytes + Math.max(moreBytes, 1) > maxStoredBytes)
    throw limitReached(
      'too_much_stored',
      `The uploads and results of this ${what} take ${storedBytes} bytes, and the limit is ${maxStoredBytes}. Wait until its uploads are processed and its older results have expired.`,
    );
}

function limitsOf(
  { keyMaxOpenJobs, keyMaxStoredBytes, uploadMaxBytes }: ApiServices['settings'],
  uploadLink: UploadLink | undefined,
) {
  if (!uploadLink) return { what: 'API key', maxOpenJobs: keyMaxOpenJobs, maxStoredBytes: keyMaxStoredBytes };
  return {
    what: 'upload link',
    maxOpenJobs: Math.min(keyMaxOpenJobs, LINK_OPEN_JOBS),
    maxStoredBytes: Math.min(keyMaxStoredBytes, uploadMaxBytes * LINK_STORED_FILES),
  };
}

const limitReached = (code: keyof typeof RETRY_AFTER_S, message: string): RequestError =>
  new RequestError(429, code, message, { headers: { 'Retry-After': String(RETRY_AFTER_S[code]) } });
