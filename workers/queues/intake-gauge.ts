import type { RedisConnection } from './connection.js';

/**
 * How many events are on their way and how large they are, by integration, and how many came and were stored in each minute of the last hour.
 * Counted beside the queue and not with it, so a crash can leave it off by a batch or two; it is set right whenever the
 * queues are empty. It steers and informs, nothing that must be exact rests on it.
 */
const pendingKey = (prefix: string): string => `${prefix}:intake:pending`;
const pendingSizeKey = (prefix: string): string => `${prefix}:intake:pending-size`;
const minuteKey = (prefix: string, minute: number): string => `${prefix}:intake:minute:${minute}`;

const MINUTE_MS = 60_000;
const MINUTES_KEPT = 61;

/** What is counted by the minute: events that were acknowledged, stored, and that failed, and alerts made of them. */
export interface MinuteCounts {
  accepted: number;
  stored: number;
  failed: number;
  alerts: number;
}

/** What an integration has on its way. `size` is the length of the bodies' texts, in UTF-16 code units: about their bytes. */
export interface Load {
  events: number;
  size: number;
}

/** Adds a load to what is counted for an integration. */
export function addLoad(loads: Map<string, Load>, webhookId: string, events: number, size: number): void {
  const load = loads.get(webhookId);
  if (!load) loads.set(webhookId, { events, size });
  else {
    load.events += events;
    load.size += size;
  }
}

/** Adds to the counts of this minute, and to what each integration has on its way (negative when it arrived). */
export async function countEvents(
  redis: RedisConnection,
  prefix: string,
  counts: Partial<MinuteCounts>,
  pending: ReadonlyMap<string, Load>,
): Promise<void> {
  const key = minuteKey(prefix, Math.floor(Date.now() / MINUTE_MS));
  // No pipeline: to make one takes ioredis longer than a dozen commands.
  const asked: Promise<unknown>[] = [];
  for (const [name, count] of Object.entries(counts)) {
    if (count > 0) asked.push(redis.hincrby(key, name, count));
  }
  asked.push(redis.expire(key, (MINUTES_KEPT * MINUTE_MS) / 1_000));
  for (const [webhookId, { events, size }] of pending) {
    asked.push(redis.hincrby(pendingKey(prefix), webhookId, events));
    asked.push(redis.hincrby(pendingSizeKey(prefix), webhookId, size));
  }
  await Promise.all(asked);
}

/** How many events of each integration are on their way. */
export const pendingEvents = (redis: RedisConnection, prefix: string): Promise<Map<string, number>> =>
  readCounts(redis, pendingKey(prefix));

/** How large they are, see `Load`. */
export const pendingSizes = (redis: RedisConnection, prefix: string): Promise<Map<string, number>> =>
  readCounts(redis, pendingSizeKey(prefix));

async function readCounts(redis: RedisConnection, key: string): Promise<Map<string, number>> {
  const counts = await redis.hgetall(key);
  return new Map(Object.entries(counts).map(([webhookId, count]) => [webhookId, Math.max(0, Number(count))]));
}

/** Sets right what crashes left off; for when nothing is on its way. */
export async function forgetPending(redis: RedisConnection, prefix: string): Promise<void> {
  await redis.del(pendingKey(prefix), pendingSizeKey(prefix));
}

/** The last 60 minutes, oldest first, the present one included. */
export async function lastHour(
  redis: RedisConnection,
  prefix: string,
): Promise<(MinuteCounts & { minute: Date })[]> {
  const now = Math.floor(Date.now() / MINUTE_MS);
  const minutes = Array.from({ length: 60 }, (_, i) => now - 59 + i);
  const found = await Promise.all(minutes.map((minute) => redis.hgetall(minuteKey(prefix, minute))));
  return minutes.map((minute, i) => {
    const { accepted = 0, stored = 0, failed = 0, alerts = 0 } = found[i] as Record<string, string>;
    return {
      minute: new Date(minute * MINUTE_MS),
      accepted: Number(accepted),
      stored: Number(stored),
      failed: Number(failed),
      alerts: Number(alerts),
    };
  });
}
