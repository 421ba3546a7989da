import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { uuidv7 } from 'uuidv7';
import { finishJob, type JobOutcome } from '../../../db/jobs/job-lifecycle.js';
import { insertJob } from '../../../db/jobs/jobs.js';
import type { Stack } from '../servers/stack.js';

/** The content of its file. */
export const content = randomBytes(700_001).toString('base64');
export const bytes = Buffer.byteLength(content);

/** Creates an export that has ended, with its file. */
export async function finishedExport(stack: Stack, outcome: Partial<JobOutcome> = {}): Promise<string> {
  const id = uuidv7();
  const resultKey = `results/${id}.x`;
  await stack.files.write(resultKey, Readable.from([Buffer.from(content)]));
  const exported = { version: 1, filters: {}, format: 'csv' };
  await insertJob(stack.database, {
    id,
    type: 'identity-export',
    queue: 'identity-export',
    apiKeyId: uuidv7(),
    requestId: 'r',
    params: exported,
  });
  await finishJob(stack.database, id, { state: 'completed', resultKey, keptS: 60, ...outcome });
  return id;
}
