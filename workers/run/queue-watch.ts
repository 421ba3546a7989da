import type { Logger } from 'pino';
import type { RedisConnection } from '../queues/connection.js';
import { queueDepths } from '../queues/depth.js';

const CHECK_EVERY_MS = 10_000;
/** Checks in a row. A worker takes a waiting job within milliseconds, so three cannot be a coincidence. */
const CHECKS = 3;
/** A check that takes longer says nothing about the worker: Redis was stalled, and what waited for it arrives at the same moment. */
const SLOW_MS = 2_000;

/** A queue from which this worker takes jobs. `take-jobs.ts` counts. */
export interface TakenQueue {
  readonly name: string;
  /** How many jobs the worker runs at a time. It changes if queues share. */
  concurrency: number;
  /** How many jobs all workers together run at a time. Default: no limit. */
  readonly globalConcurrency?: number;
  running: number;
  /** Jobs taken since the worker started. */
  taken: number;
}

interface Watched {
  redis: RedisConnection;
  prefix: string;
  queues: readonly TakenQueue[];
  /** Whether the worker takes no jobs on purpose. Default: no. */
  isHeld?: () => boolean;
  log: Logger;
}

/**
 * Notices queues from which this worker has stopped taking jobs although it could: jobs wait, it has room for another one, and it
 * has taken none for about 30 s. Known cause: after the failover of a Redis Cluster, BullMQ can wait for a connection for ever.
 */
export class QueueWatch {
  readonly #watched: Watched;
  /** For each queue with a suspicion: the jobs taken at that time, and the number of checks since. */
  #suspects = new Map<string, { taken: number; checks: number }>();

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  /**
   * Checks every 10 s.
   * @param onStuck called with the names of the queues, and no more than once
   * @returns a function that stops the checks
   */
  start(onStuck: (queues: readonly string[]) => void, everyMs = CHECK_EVERY_MS): () => void {
    let isChecking = false;
    const timer = setInterval(async () => {
      if (isChecking) return;
      isChecking = true;
      const stuck = await this.#check();
      isChecking = false;
      if (stuck.length === 0) return;
      clearInterval(timer);
      onStuck(stuck);
    }, everyMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Returns the queues that looked stuck at this check and at those before. */
  async #check(): Promise<readonly string[]> {
    const suspects = new Map<string, { taken: number; checks: number }>();
    const startedAt = performance.now();
    const found = await this.#idleWithWork();
    const isSlow = performance.now() - startedAt > SLOW_MS;
    for (const { name, taken } of isSlow ? [] : found) {
      const before = this.#suspects.get(name);
      const isSame = before?.taken === taken;
      suspects.set(name, { taken, checks: isSame ? before.checks + 1 : 1 });
    }
    this.#suspects = suspects;
    // The first check only records what was taken until then.
    return [...suspects].filter(([, { checks }]) => checks > CHECKS).map(([name]) => name);
  }

  /** Returns the queues in which jobs wait and from which this worker could take one. None while Redis is unavailable. */
  async #idleWithWork(): Promise<readonly TakenQueue[]> {
    const { redis, prefix, queues, isHeld, log } = this.#watched;
    const free = queues.filter(({ running, concurrency }) => running < concurrency);
    if (redis.status !== 'ready' || free.length === 0 || isHeld?.()) return [];
    try {
      const depths = await queueDepths(
        redis,
        prefix,
        free.map(({ name }) => name),
      );
      return free.filter(({ globalConcurrency = Number.POSITIVE_INFINITY }, index) => {
        const { waiting = 0, active = 0 } = depths[index] ?? {};
        return waiting > 0 && active < globalConcurrency;
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.debug({ error: reason }, 'the queues could not be checked');
      return [];
    }
  }
}
