import type { OutgoingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Webhook } from '../../db/webhooks/webhooks.js';
import type { RedisConnection } from '../../workers/queues/connection.js';
import { QueueUnavailable } from '../../workers/queues/producer.js';
import { RequestError } from '../http/errors.js';

const MINUTE_S = 60;
const MAX_CACHED = 10_000;

/**
 * Counts events in a key that expires with its minute. When the clock of Redis is set back, all keys live longer by that time, so a key
 * with more than a minute left gets a minute.
 */
const COUNT = `
redis.call('SET', KEYS[1], 0, 'EX', ARGV[2], 'NX')
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
local most = ARGV[2] * 1000
if left < 0 or left > most then
  redis.call('PEXPIRE', KEYS[1], most)
  left = most
end
return {count, left}`;

/** What is left of the limit of an integration. */
export interface Quota {
  eventsPerMinute: number;
  /** Events that are accepted until the minute ends. */
  left: number;
  /** Until the minute ends. */
  ms: number;
}

/** Tells a sender what is left of the limit. Null: there is none. */
export function tellQuota(res: OutgoingMessage, quota: Quota | null): void {
  if (quota === null) return;
  for (const [name, value] of Object.entries(quotaHeaders(quota))) res.setHeader(name, value);
}

/** As draft-ietf-httpapi-ratelimit-headers-10 says: structured fields with the quota, its window, what is left, and when it is full again. */
const quotaHeaders = ({ eventsPerMinute, left, ms }: Quota): Record<string, string> => ({
  'RateLimit-Policy': `"events";q=${eventsPerMinute};w=${MINUTE_S}`,
  RateLimit: `"events";r=${left};t=${secondsIn(ms)}`,
});

/** At least one, so that nobody asks again at once. */
const secondsIn = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

/** Limits the events per minute of integrations, across all API hosts. An integration without a limit costs nothing. */
export class RateLimits {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #limiters = new LRUCache<string, RateLimiterRedis>({ max: MAX_CACHED });
  /** Once an integration is over its limit, this host does not ask Redis again until the minute has passed. */
  readonly #overUntil = new LRUCache<string, number>({ max: MAX_CACHED });

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /**
   * Counts an event. Resolves to what is left; null without a limit.
   * @throws RequestError `over_limit` with the status that the integration chose, if the event is over the limit
   */
  async count(webhook: Webhook): Promise<Quota | null> {
    const { eventsPerMinute } = webhook;
    if (eventsPerMinute === null) return null;
    const name = `${webhook.id}/${eventsPerMinute}`;
    const msLeft = (this.#overUntil.get(name) ?? 0) - performance.now();
    if (msLeft > 0) throw overLimit(webhook, { eventsPerMinute, left: 0, ms: msLeft });
    try {
      const { remainingPoints, msBeforeNext } = await this.#limiter(name, eventsPerMinute).consume(
        webhook.id,
      );
      return { eventsPerMinute, left: remainingPoints, ms: msBeforeNext };
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        this.#overUntil.set(name, performance.now() + error.msBeforeNext);
        throw overLimit(webhook, { eventsPerMinute, left: 0, ms: error.msBeforeNext });
      }
      throw new QueueUnavailable('Redis did not count the event', { cause: error });
    }
  }

  #limiter(name: string, points: number): RateLimiterRedis {
    const known = this.#limiters.get(name);
    if (known) return known;
    const limiter = new RateLimiterRedis({
      storeClient: this.#redis,
      keyPrefix: `${this.#prefix}:rate`,
      points,
      duration: MINUTE_S,
      customIncrTtlLuaScript: COUNT,
    });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

function overLimit({ overLimitStatus }: Webhook, quota: Quota): RequestError {
  const { eventsPerMinute, ms } = quota;
  const headers = { 'Retry-After': String(secondsIn(ms)), ...quotaHeaders(quota) };
  const events = eventsPerMinute === 1 ? '1 event' : `${eventsPerMinute} events`;
  const message = `This integration accepts at most ${events} per minute.`;
  return new RequestError(overLimitStatus, 'over_limit', message, { headers });
}
