import { Cron } from 'croner';
import type { HeartbeatProblem, HeartbeatState } from '../../db/heartbeats/heartbeat-states.js';
import type { Heartbeat, HeartbeatSchedule } from '../../db/heartbeats/heartbeats.js';
import { duration } from '../text/quantities.js';

/** What a heartbeat has to keep. */
export type HeartbeatRule = Pick<Heartbeat, 'schedule' | 'graceSeconds' | 'maxRunSeconds'>;
type Reports = Pick<HeartbeatState, 'succeededAt' | 'startedAt' | 'failedAt'>;

/** A problem that a heartbeat will have unless a ping comes: `forMs` after `since`, in milliseconds since 1970. */
export interface NextProblem {
  problem: HeartbeatProblem;
  since: number;
  forMs: number;
}

/** A ping this much before a time of a cron expression is the one that was expected then: clocks differ a little. */
const EARLY_MS = 5_000;
/** Of a cron expression. */
const FIELDS = 5;

/**
 * Returns the problem that comes next if no ping does; null while nothing is expected. The first ping begins the expectation: until then the job
 * may not exist yet. A run whose length is limited counts as a ping while it lasts, because its end is expected then.
 */
export function nextProblem(rule: HeartbeatRule, reports: Reports): NextProblem | null {
  const { maxRunSeconds } = rule;
  const endedAt = Math.max(reports.succeededAt ?? 0, reports.failedAt ?? 0);
  const startedAt = reports.startedAt ?? 0;
  if (maxRunSeconds !== null && startedAt > endedAt)
    return { problem: 'overrun', since: startedAt, forMs: maxRunSeconds * 1_000 };
  const last = endedAt || startedAt;
  if (last === 0) return null;
  const since = nextExpected(rule.schedule, last);
  return since === null ? null : { problem: 'late', since, forMs: rule.graceSeconds * 1_000 };
}

/** Returns when the next ping is expected after one, in milliseconds since 1970; null if none is. */
export function nextExpected(schedule: HeartbeatSchedule | null, last: number): number | null {
  if (schedule === null) return null;
  if (!('cron' in schedule)) return last + schedule.periodSeconds * 1_000;
  return (
    timesOf(schedule)
      .nextRun(new Date(last + EARLY_MS))
      ?.getTime() ?? null
  );
}

/** Returns the times of a cron expression. A time that a change of the clocks skips comes right after it, one that it repeats comes once. */
const timesOf = ({ cron, timeZone }: { cron: string; timeZone: string }): Cron =>
  new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part' });

/** Returns why a cron expression cannot be used with a valid time zone; null if it can. */
export function cronError(schedule: { cron: string; timeZone: string }): string | null {
  // Croner also takes a single time.
  if (schedule.cron.split(/\s+/).length !== FIELDS) return `must have ${FIELDS} fields`;
  try {
    return timesOf(schedule).nextRun() ? null : 'has no time in the future';
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Cron\w+: /, '') : String(error);
  }
}

/** Returns a schedule for people. */
export function describeSchedule(schedule: HeartbeatSchedule | null): string {
  if (schedule === null) return 'at no time';
  return 'cron' in schedule
    ? `at \`${schedule.cron}\` in ${schedule.timeZone}`
    : `every ${duration(schedule.periodSeconds)}`;
}
