import { listeningPeriods, type Period } from '../../db/upkeep/listening.js';
import { queueDepths } from '../queues/depth.js';
import { intakeQueuesInUse } from '../queues/shards/shards-in-use.js';
import type { WorkerServices } from '../run/services.js';
import type { Turn } from './begin-turn.js';

/** An event of the last minute may still be on its way to the database. What comes even later corrects what was concluded without it. */
const SETTLED_AFTER_MS = 60_000;

/** What Muster heard: up to when all accepted events are stored, and the periods until then in which it listened. */
export interface Heard {
  until: Date;
  periods: readonly Period[];
}

/**
 * Returns what can be concluded from silence in a turn; null while events wait for an unknown time.
 * @throws UpkeepRefused while the clocks differ
 */
export async function readHeard(services: WorkerServices, turn: Turn): Promise<Heard | null> {
  const until = await settledUntil(services, turn.ago(SETTLED_AFTER_MS));
  return until && { until, periods: upTo(await listeningPeriods(services.database), until.getTime()) };
}

/** Returns the time up to which all accepted events are stored, at most the given one; null if that is not known. */
async function settledUntil(
  { redis, settings: { redisPrefix } }: WorkerServices,
  time: Date,
): Promise<Date | null> {
  const queues = await intakeQueuesInUse(redis, redisPrefix);
  const depths = await queueDepths(redis, redisPrefix, queues);
  // A batch that is retried has waited for an unknown time.
  if (depths.some(({ delayed }) => delayed > 0)) return null;
  const waiting = depths.flatMap(({ oldestAt }) => oldestAt?.getTime() ?? []);
  return new Date(Math.min(time.getTime(), ...waiting.map((at) => at - SETTLED_AFTER_MS)));
}

/** Returns the periods without what is after a time. */
const upTo = (periods: readonly Period[], time: number): Period[] =>
  periods.filter(({ from }) => from < time).map(({ from, to }) => ({ from, to: Math.min(to, time) }));
