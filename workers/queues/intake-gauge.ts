import type { RedisConnection } from './connection.js';

/**
 * Counts events that are acknowledged but not stored, with their sizes, by integration; and events by minute for the last
 * hour. The counts are separate from the queue, so a crash can make them wrong by a batch or two; upkeep resets them when the
 * queues are empty. They are for limits and for display: nothing that must be exact relies on them.
 */
const pendingKey = (prefix: string): string => `${prefix}:intake:pending`;
const pendingSizeKey = (prefix: string): string => `${prefix}:intake:pending-size`;
const minuteKey = (prefix: string, minute: number): string => `${prefix}:intake:minute:${minute}`;

const MINUTE_MS = 60_000;
const MINUTES_KEPT = 61;

/** Counts of one minute: events acknowledged, stored, filtered and failed, and alerts created. */
export interface MinuteCounts {
  accepted: number;
  stored: number;
  filtered: number;
  failed: number;
  alerts: number;
}

/** The pending events of an integration. `size` is the length of their bodies and requests in UTF-16 code units: about their bytes. */
export interface IntakeLoad {
  events: number;
  size: number;
}

/** Adds events to an integration's load. */
export function addLoad(
  loads: Map<string, IntakeLoad>,
  webhookId: string,
  events: number,
  size: number,
): void {
  const load = loads.get(webhookId);
  if (!load) loads.set(webhookId, { events, size });
  else {
    load.events += events;
    load.size += size;
  }
}

/** Adds to the counts of this minute, and to the pending load of each integration (negative once stored). */
export async function gaugeEvents(
  redis: RedisConnection,
  prefix: string,
  counts: Partial<MinuteCounts>,
  pending: ReadonlyMap<string, IntakeLoad>,
): Promise<void> {
  const key = minuteKey(prefix, Math.floor(Date.now() / MINUTE_MS));
  // Not a pipeline: creating one takes ioredis longer than a dozen commands.
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

/** Returns the number of pending events by integration. */
export const pendingEvents = (redis: RedisConnection, prefix: string): Promise<Map<string, number>> =>
  readCounts(redis, pendingKey(prefix));

/** Returns the size of the pending events by integration, see {@link IntakeLoad}. */
export const pendingSizes = (redis: RedisConnection, prefix: string): Promise<Map<string, number>> =>
  readCounts(redis, pendingSizeKey(prefix));

async function readCounts(redis: RedisConnection, key: string): Promise<Map<string, number>> {
  const counts = await redis.hgetall(key);
  return new Map(Object.entries(counts).map(([webhookId, count]) => [webhookId, Math.max(0, Number(count))]));
}

/** Resets the pending counts, which crashes may have made wrong. Call it only while no event is pending. */
export async function forgetPending(redis: RedisConnection, prefix: string): Promise<void> {
  await redis.del(pendingKey(prefix), pendingSizeKey(prefix));
}

/** Returns the counts of the last 60 minutes, oldest first, including the current one. */
export async function lastHour(
  redis: RedisConnection,
  prefix: string,
): Promise<(MinuteCounts & { minute: Date })[]> {
  const now = Math.floor(Date.now() / MINUTE_MS);
  const minutes = Array.from({ length: 60 }, (_, i) => now - 59 + i);
  const countsOf = async (minute: number) => {
    const counts = await redis.hgetall(minuteKey(prefix, minute));
    const { accepted = 0, stored = 0, filtered = 0, failed = 0, alerts = 0 } = counts;
    return {
      minute: new Date(minute * MINUTE_MS),
      accepted: Number(accepted),
      stored: Number(stored),
      filtered: Number(filtered),
      failed: Number(failed),
      alerts: Number(alerts),
    };
  };
  return Promise.all(minutes.map(countsOf));
}
