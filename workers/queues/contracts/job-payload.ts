import { z } from 'zod';

/** What lies in Redis for every job that has a row in `jobs`: where to look, and whose request it came from. */
export const jobPayload = z.object({
  version: z.literal(1),
  jobId: z.uuid(),
  requestId: z.string(),
});
