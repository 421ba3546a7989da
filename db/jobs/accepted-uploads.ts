import type { Database } from '../client/connect.js';
import type { Job } from './jobs.js';

/** The job of an upload and the API key that sent it. */
export interface AcceptedUpload {
  acceptance: number;
  jobId: string;
  apiKeyId: string;
}

/** Returns the acceptance number of a job that has an upload or reverts one. @throws Error if the job has none */
export function acceptanceOf({ id, acceptance }: Pick<Job, 'id' | 'acceptance'>): number {
  if (acceptance === null) throw new Error(`job ${id} has no acceptance number`);
  return acceptance;
}

/** Returns the uploads with these acceptance numbers, by number. Those whose jobs have been deleted are left out. */
export async function findUploads(
  database: Database,
  acceptances: readonly number[],
): Promise<Map<number, AcceptedUpload>> {
  if (acceptances.length === 0) return new Map();
  const rows = await database('jobs')
    .whereIn('acceptance', acceptances)
    .select('id', 'acceptance', 'api_key_id');
  return new Map(
    rows.map(({ id, acceptance, api_key_id }) => [
      Number(acceptance),
      { acceptance: Number(acceptance), jobId: id, apiKeyId: api_key_id },
    ]),
  );
}

/** Returns when an upload was accepted. Acceptance numbers are µs since 1970, or a little above. */
export const acceptedAt = (acceptance: number): Date => new Date(Math.floor(acceptance / 1_000));

/** Returns the number of an upload that was accepted at this time. */
export const acceptanceAt = (time: Date): number => time.getTime() * 1_000;
