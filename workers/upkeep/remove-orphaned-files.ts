import { isOwnKey } from '../../db/files/index.js';
import { filesOfJobs } from '../../db/jobs/jobs-upkeep.js';
import type { Services } from '../run/services.js';
import type { UpkeepTask } from './task.js';

/** A younger file may belong to an upload in progress. */
const MIN_AGE_MS = 24 * 60 * 60 * 1_000;
const BATCH = 200;

/**
 * Removes stored files that no job refers to: a killed API or worker left them incomplete or unrecorded. A file whose name
 * Muster does not create belongs to somebody else, and is kept.
 */
export const removeOrphanedFiles: UpkeepTask = {
  name: 'remove-orphaned-files',
  everyMinutes: 60,
  async *run(services) {
    let keys: string[] = [];
    for await (const key of services.files.list()) {
      if (isOwnKey(key)) keys.push(key);
      if (keys.length < BATCH) continue;
      yield await removeUnnamed(keys, services);
      keys = [];
    }
    yield await removeUnnamed(keys, services);
  },
};

async function removeUnnamed(keys: string[], { database, files }: Services): Promise<number> {
  const named = await filesOfJobs(database, keys);
  let removed = 0;
  for (const key of keys.filter((one) => !named.has(one))) {
    const file = await files.stat(key);
    if (!file || Date.now() - file.modifiedAt.getTime() < MIN_AGE_MS) continue;
    await files.remove(key);
    removed += 1;
  }
  return removed;
}
