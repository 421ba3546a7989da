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
   * Counts an event.
   * @throws RequestError `over_limit` with the status that the integration chose, if the event is over the limit
   */
  async count(webhook: Webhook): Promise<void> {
    if (webhook.eventsPerMinute === null) return;
    const name = `${webhook.id}/${webhook.eventsPerMinute}`;
    const msLeft = (this.#overUntil.get(name) ?? 0) - performance.now();
    if (msLeft > 0) throw overLimit(webhook, msLeft);
    try {
      await this.#limiter(name, webhook.eventsPerMinute).consume(webhook.id);
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        this.#overUntil.set(name, performance.now() + error.msBeforeNext);
        throw overLimit(webhook, error.msBeforeNext);
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

function overLimit({ overLimitStatus, eventsPerMinute }: Webhook, msLeft: number): RequestError {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(msLeft / 1_000))) };
  const events = eventsPerMinute === 1 ? '1 event' : `${eventsPerMinute} events`;
  const message = `This integration accepts at most ${events} per minute.`;
  return new RequestError(overLimitStatus, 'over_limit', message, { headers });
}
