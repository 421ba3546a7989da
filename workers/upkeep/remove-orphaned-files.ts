import { crc32 } from 'node:zlib';
import { isOwnKey } from '../../db/files/index.js';
import { filesOfJobs } from '../../db/jobs/jobs-upkeep.js';
import type { Services } from '../run/services.js';
import type { UpkeepTask } from './task.js';

/** A younger file may belong to an upload in progress. */
const MIN_AGE_MS = 24 * 60 * 60 * 1_000;
const BATCH = 200;
/** From the end of a pass over all files to the start of the next one. */
const INTERVAL_S = 60 * 60;
const DONE = 'done';
/** A pass that did not fit into a turn is done in so many parts, each over the keys with the same remainder of their checksum. */
const PARTS = 16;

/**
 * Removes stored files that no job refers to: a killed API or worker left them incomplete or unrecorded. A file whose name
 * Muster does not create belongs to somebody else, and is kept.
 *
 * Redis keeps for an hour that a pass is done, and before that the part to continue with. There is no last key: a store lists files in no
 * particular order.
 */
export const removeOrphanedFiles: UpkeepTask = {
  name: 'remove-orphaned-files',
  async *run(services) {
    const { redis, settings } = services;
    const place = `${settings.redisPrefix}:orphaned-files`;
    const text = await redis.get(place);
    if (text === DONE) return;
    const end = () => redis.set(place, DONE, 'EX', INTERVAL_S);
    if (text === null) {
      await redis.set(place, 0);
      yield* removeFrom(services, () => true, end);
      return;
    }
    for (let part = Number(text); part < PARTS; part++) {
      const next = () => (part + 1 < PARTS ? redis.set(place, part + 1) : end());
      yield* removeFrom(services, (key) => crc32(key) % PARTS === part, next);
    }
  },
};

/** @param done called before the last step yields, because the turn may end there */
async function* removeFrom(
  services: Services,
  isMeant: (key: string) => boolean,
  done: () => Promise<unknown>,
): AsyncGenerator<number, void> {
  let keys: string[] = [];
  for await (const key of services.files.list()) {
    if (isOwnKey(key) && isMeant(key)) keys.push(key);
    if (keys.length < BATCH) continue;
    yield await removeUnnamed(keys, services);
    keys = [];
  }
  const removed = await removeUnnamed(keys, services);
  await done();
  yield removed;
}

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
