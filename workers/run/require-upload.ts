import type { Job } from '../../db/jobs/jobs.js';
import { JobFailure } from './errors.js';
import type { WorkerServices } from './services.js';

/**
 * Returns the key of a job's upload.
 * @throws JobFailure if there is no file. A job whose request was aborted may have a row and no file. A retry would not find the file either
 */
export async function requireUpload({ sourceKey }: Job, { files }: WorkerServices): Promise<string> {
  if (sourceKey && (await files.stat(sourceKey))) return sourceKey;
  throw new JobFailure('source_expired', 'The uploaded file has been deleted. Upload it again.');
}
