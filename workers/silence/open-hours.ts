import { Cron } from 'croner';
import type { Period } from '../../db/upkeep/listening.js';
import type { OpenHours } from '../../db/webhooks/silences.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Returns the times of a schedule that begin or end between two times, in order; all of the time without a schedule. */
export function openPeriods(schedule: OpenHours | null, { from, to }: Period): Period[] {
  if (schedule === null) return [{ from, to }];
  const { timeZone: timezone } = schedule;
  const days = schedule.days.map((day) => day % 7).join(',');
  const opens = new Cron(`${cronTime(schedule.from)} * * ${days}`, { timezone, paused: true });
  const closes = new Cron(`${cronTime(schedule.to)} * * *`, { timezone, paused: true });
  const periods: Period[] = [];
  // A time that was open before may still be.
  for (let after = new Date(from - 2 * DAY_MS); ; ) {
    const open = opens.nextRun(after);
    if (!open || open.getTime() >= to) return periods;
    const end = closes.nextRun(open)?.getTime() ?? to;
    if (end > from) periods.push({ from: open.getTime(), to: end });
    after = open;
  }
}

/** Returns `08:30` as the first two fields of a cron expression. */
function cronTime(time: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return `${minutes} ${hours % 24}`;
}

/** Returns the times that are in both lists, each in order and without overlaps. */
export function inBoth(some: readonly Period[], others: readonly Period[]): Period[] {
  const both: Period[] = [];
  let [one, other] = [0, 0];
  for (;;) {
    const [first, second] = [some[one], others[other]];
    if (!first || !second) return both;
    const [from, to] = [Math.max(first.from, second.from), Math.min(first.to, second.to)];
    if (from < to) both.push({ from, to });
    if (first.to < second.to) one += 1;
    else other += 1;
  }
}
