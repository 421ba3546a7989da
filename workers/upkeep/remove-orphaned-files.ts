import { crc32 } from 'node:zlib';
import { isOwnKey } from '../../db/files/index.js';
import { filesOfJobs } from '../../db/jobs/jobs-upkeep.js';
import { DAY_MS } from '../../db/upkeep/horizons.js';
import type { WorkerServices } from '../run/services.js';
import type { UpkeepTask } from './task.js';

/** A file that upkeep has known for less may belong to an upload in progress. */
const MIN_KNOWN_MS = DAY_MS;
/** Files that are gone by themselves are forgotten after this time. */
const FORGOTTEN_AFTER_MS = 7 * DAY_MS;
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
 * A file is removed a day after a pass has found it without a job, by the clock of the database. The times that stores keep are those of a host: an
 * API whose clock is wrong would lose the file of an upload in progress. Redis keeps when a file was found.
 *
 * Redis keeps for an hour that a pass is done, and before that the part to continue with. There is no last key: a store lists files in no
 * particular order.
 */
export const removeOrphanedFiles: UpkeepTask = {
  name: 'remove-orphaned-files',
  removes: 'files',
  async *run(services, turn) {
    const { redis } = services;
    const place = placeKey(services);
    const orphans = new Orphans(services, turn.ago(0));
    const text = await redis.get(place);
    if (text === DONE) return;
    const end = async () => {
      await orphans.forgetGone();
      await redis.set(place, DONE, 'EX', INTERVAL_S);
    };
    if (text === null) {
      await redis.set(place, 0);
      yield* removeFrom(orphans, () => true, end);
      return;
    }
    for (let part = Number(text); part < PARTS; part++) {
      const next = () => (part + 1 < PARTS ? redis.set(place, part + 1) : end());
      yield* removeFrom(orphans, (key) => crc32(key) % PARTS === part, next);
    }
  },
};

/** @param done called before the last step yields, because the turn may end there */
async function* removeFrom(
  orphans: Orphans,
  isMeant: (key: string) => boolean,
  done: () => Promise<unknown>,
): AsyncGenerator<number, void> {
  let keys: string[] = [];
  for await (const key of orphans.files.list()) {
    if (isOwnKey(key) && isMeant(key)) keys.push(key);
    if (keys.length < BATCH) continue;
    yield await orphans.remove(keys);
    keys = [];
  }
  const removed = await orphans.remove(keys);
  await done();
  yield removed;
}

/** The files without a job. */
class Orphans {
  readonly files: WorkerServices['files'];
  readonly #services: WorkerServices;
  readonly #now: number;
  /** A sorted set of files. The score is when a pass found the file without a job. */
  readonly #found: string;

  constructor(services: WorkerServices, now: Date) {
    this.files = services.files;
    this.#services = services;
    this.#now = +now;
    this.#found = `${placeKey(services)}:found`;
  }

  /** Removes those of the files that have been known long enough to have no job. Returns their number. */
  async remove(keys: string[]): Promise<number> {
    const { database, redis } = this.#services;
    const named = await filesOfJobs(database, keys);
    const orphans = keys.filter((key) => !named.has(key));
    if (named.size > 0) await redis.zrem(this.#found, ...named);
    if (orphans.length === 0) return 0;
    await redis.zadd(this.#found, 'NX', ...orphans.flatMap((key) => [this.#now, key]));
    const foundAt = await redis.zmscore(this.#found, ...orphans);
    const old = orphans.filter((_, index) => this.#now - Number(foundAt[index]) >= MIN_KNOWN_MS);
    for (const key of old) await this.files.remove(key);
    if (old.length > 0) await redis.zrem(this.#found, ...old);
    return old.length;
  }

  async forgetGone(): Promise<void> {
    await this.#services.redis.zremrangebyscore(this.#found, 0, this.#now - FORGOTTEN_AFTER_MS);
  }
}

const placeKey = ({ settings }: WorkerServices): string => `${settings.redisPrefix}:orphaned-files`;
