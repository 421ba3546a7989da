import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Webhook } from '../../db/webhooks/webhooks.js';
import type { RedisConnection } from '../../workers/queues/connection.js';
import { QueueUnavailable } from '../../workers/queues/producer.js';
import { RequestError } from '../http/errors.js';

const MINUTE_S = 60;
const MAX_REMEMBERED = 10_000;

/** Holds integrations to their events a minute, over all API hosts. Those without a limit cost nothing. */
export class RateLimits {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #limiters = new Map<string, RateLimiterRedis>();
  /** Once an integration is over, this host need not ask again until its minute has passed. */
  readonly #overUntil = new Map<string, number>();

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /** Counts an event. Throws what the integration wants to be answered when it is one too many. */
  async count(webhook: Webhook): Promise<void> {
    if (webhook.eventsPerMinute === null) return;
    const name = `${webhook.id}/${webhook.eventsPerMinute}`;
    const msLeft = (this.#overUntil.get(name) ?? 0) - Date.now();
    if (msLeft > 0) throw overLimit(webhook, msLeft);
    try {
      await this.#limiter(name, webhook.eventsPerMinute).consume(webhook.id);
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) {
        this.#overUntil.set(name, Date.now() + refusal.msBeforeNext);
        throw overLimit(webhook, refusal.msBeforeNext);
      }
      throw new QueueUnavailable('Redis did not count the event', { cause: refusal });
    }
  }

  #limiter(name: string, points: number): RateLimiterRedis {
    const known = this.#limiters.get(name);
    if (known) return known;
    if (this.#limiters.size >= MAX_REMEMBERED) {
      this.#limiters.clear();
      this.#overUntil.clear();
    }
    const limiter = new RateLimiterRedis({
      storeClient: this.#redis,
      keyPrefix: `${this.#prefix}:rate`,
      points,
      duration: MINUTE_S,
    });
    this.#limiters.set(name, limiter);
    return limiter;
  }
}

function overLimit({ overLimitStatus, eventsPerMinute }: Webhook, msLeft: number): RequestError {
  const headers = { 'Retry-After': String(Math.max(1, Math.ceil(msLeft / 1_000))) };
  const message = `This integration takes ${eventsPerMinute} events a minute.`;
  return new RequestError(overLimitStatus, 'over_limit', message, { headers });
}
