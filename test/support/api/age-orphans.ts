import type { WorkerServices } from '../../../workers/run/services.js';

/** Makes upkeep believe that it found the files without a job two days earlier than it did, and that its next pass is due. */
export async function ageOrphans({ redis, settings }: WorkerServices): Promise<void> {
  const place = `${settings.redisPrefix}:orphaned-files`;
  const found = `${place}:found`;
  for (const key of await redis.zrange(found, '0', '-1'))
    await redis.zincrby(found, -2 * 24 * 60 * 60 * 1_000, key);
  await redis.del(place);
}
