import type { RedisConnection } from '../../../workers/queues/connection.js';
import type { SignatureOutcome } from './signature-check.js';
import { REJECTIONS, type Rejection } from './verdict.js';

const FLUSH_INTERVAL_MS = 1_000;
/** How long the counts of an integration that receives no more events are kept. */
const KEPT_S = 90 * 24 * 60 * 60;
/** How long a reader waits for Redis. The counts are for display, so a response goes without them. */
const READ_TIMEOUT_MS = 500;

/** The requests since the settings of a signature last changed. */
export interface Observed {
  verified: number;
  /** Of the verified ones, those that were signed with the previous secret. */
  verifiedByPrevious: number;
  rejected: number;
  lastRejectedAt: Date | null;
  reasons: Record<Rejection, number>;
}

type Count = 'verified' | 'previous' | Rejection;
interface Tally {
  counts: Map<Count, number>;
  lastRejectedAt: number;
}

/** Names the settings of a signature that counts belong to: new settings start at 0. */
export interface ObservedSignature {
  webhookId: string;
  since: Date;
}

/**
 * Counts verified and rejected requests by integration, for all API hosts: in memory, and once a second in Redis. Counts survive an
 * outage of Redis in memory, and may lose the last second of a host that is killed.
 */
export class SignatureObservations {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  #tallies = new Map<string, Tally>();
  #flushing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.flush();
  }

  count(observation: ObservedSignature, { verdict, byPrevious }: SignatureOutcome): void {
    const tally = this.#tallyOf(this.#keyOf(observation));
    add(tally, verdict, 1);
    if (byPrevious) add(tally, 'previous', 1);
    if (verdict !== 'verified') tally.lastRejectedAt = Date.now();
  }

  /** Adds the counts in memory to those in Redis. Never rejects: what cannot be added stays in memory. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  /** Resolves to the counts of all hosts; null if Redis does not respond. */
  async read(observation: ObservedSignature): Promise<Observed | null> {
    if (this.#redis.status !== 'ready') return null;
    const late = new Promise<null>((resolve) => {
      setTimeout(resolve, READ_TIMEOUT_MS, null).unref();
    });
    const asked = this.#redis.hgetall(this.#keyOf(observation)).catch(() => null);
    const counts = await Promise.race([asked, late]);
    return counts && toObserved(counts);
  }

  async #flush(): Promise<void> {
    if (this.#tallies.size === 0 || this.#redis.status !== 'ready') return;
    const tallies = this.#tallies;
    this.#tallies = new Map();
    await Promise.all([...tallies].map(([key, tally]) => this.#store(key, tally)));
  }

  async #store(key: string, { counts, lastRejectedAt }: Tally): Promise<void> {
    const changes = this.#redis.multi();
    for (const [name, count] of counts) changes.hincrby(key, name, count);
    if (lastRejectedAt > 0) changes.hset(key, 'lastRejectedAt', lastRejectedAt);
    try {
      await changes.expire(key, KEPT_S).exec();
    } catch {
      const tally = this.#tallyOf(key);
      for (const [name, count] of counts) add(tally, name, count);
      tally.lastRejectedAt = Math.max(tally.lastRejectedAt, lastRejectedAt);
    }
  }

  #tallyOf(key: string): Tally {
    let tally = this.#tallies.get(key);
    if (!tally) {
      tally = { counts: new Map(), lastRejectedAt: 0 };
      this.#tallies.set(key, tally);
    }
    return tally;
  }

  #keyOf({ webhookId, since }: ObservedSignature): string {
    return `${this.#prefix}:signatures:${webhookId}:${since.getTime()}`;
  }
}

const add = (tally: Tally, name: Count, count: number): void => {
  tally.counts.set(name, (tally.counts.get(name) ?? 0) + count);
};

function toObserved(counts: Record<string, string>): Observed {
  const read = (name: Count | 'lastRejectedAt') => Number(counts[name] ?? 0);
  const reasons = Object.fromEntries(REJECTIONS.map((reason) => [reason, read(reason)]));
  return {
    verified: read('verified'),
    verifiedByPrevious: read('previous'),
    rejected: Object.values(reasons).reduce((sum, count) => sum + count, 0),
    lastRejectedAt: read('lastRejectedAt') > 0 ? new Date(read('lastRejectedAt')) : null,
    reasons: reasons as Record<Rejection, number>,
  };
}
