import { nextExpected } from '../../heartbeats/next-problem.js';
import type { FeedSettings } from './feed-settings.js';

/** Returns when a feed runs next after a time; null if only when somebody starts it. */
export function nextRunAt(
  { schedule, paused }: Pick<FeedSettings, 'schedule' | 'paused'>,
  after: Date,
): Date | null {
  if (paused || schedule === null) return null;
  const expected = 'cron' in schedule ? schedule : { periodSeconds: schedule.everyMinutes * 60 };
  const next = nextExpected(expected, after.getTime());
  return next === null ? null : new Date(next);
}
