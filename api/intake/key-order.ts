import { hash } from 'node:crypto';
import type { RedisConnection } from '../../workers/queues/connection.js';
import { QueueUnavailable } from '../../workers/queues/producer.js';

/** Clocks of hosts that accept events differ by less, see `ClockWatch`. */
const REMEMBERED_MS = 10_000;
/** How far the time of a key may be ahead of this host's, in milliseconds. */
const MAX_AHEAD_MS = 5_000;

/** Sets the time of a key to the given one, or to one millisecond after the last one. */
const NEXT = `
local now = tonumber(ARGV[1])
local last = tonumber(redis.call('GET', KEYS[1]) or 0)
local at = math.max(now, math.min(last + 1, now + ARGV[2]))
redis.call('SET', KEYS[1], string.format('%.0f', at), 'PX', ARGV[3])
return string.format('%.0f', at)`;

/**
 * Keeps the events of a key in the order in which they were accepted, also by hosts whose clocks differ: some senders open and close a problem
 * within milliseconds.
 */
export class KeyOrder {
  readonly #redis: RedisConnection;
  readonly #prefix: string;

  constructor(redis: RedisConnection, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /**
   * Returns the time of an event of a key, in milliseconds since 1970: that of this host, or a later one.
   * @throws QueueUnavailable
   */
  async timeOf(webhookId: string, key: string, now: number): Promise<number> {
    const name = `${this.#prefix}:order:${hash('sha256', `${webhookId}\n${key}`, 'base64url')}`;
    try {
      return Number(await this.#redis.eval(NEXT, 1, name, now, MAX_AHEAD_MS, REMEMBERED_MS));
    } catch (error) {
      throw new QueueUnavailable('Redis did not order the event', { cause: error });
    }
  }
}
