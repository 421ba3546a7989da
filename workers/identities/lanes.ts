import { JobNotRunning } from '../../db/identities/import-chunks.js';
import { JobCanceled } from '../run/errors.js';

/** Writes all chunks in several lanes. If a lane fails, the others finish their current chunk before the error is thrown. */
export async function inLanes<Chunk>(
  lanes: number,
  next: () => Promise<Chunk | null>,
  write: (chunk: Chunk) => Promise<void>,
): Promise<void> {
  let failed = false;
  const lane = async (): Promise<void> => {
    for (let chunk = await next(); chunk && !failed; chunk = await next()) await write(chunk);
  };
  const ends = await Promise.allSettled(
    Array.from({ length: lanes }, () =>
      lane().catch((error) => {
        failed = true;
        throw error;
      }),
    ),
  );
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Stops a worker that was stalled for so long that another one has ended its job. The first outcome stands. */
export function stopIfJobEnded(error: unknown): never {
  throw error instanceof JobNotRunning ? new JobCanceled(error.message) : error;
}
