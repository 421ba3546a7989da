import type { Feed, FeedRun } from '../../http/types.ts';

export const FEEDS_PATH = '/v2/feeds';
export const feedAddress = (id: string): string => `/identities/feeds/${id}`;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns when a feed runs, in a few words. */
export function scheduleText({ schedule, paused }: Pick<Feed, 'schedule' | 'paused'>): string {
  if (paused) return 'paused';
  if (schedule === null) return 'started by hand';
  if ('everyMinutes' in schedule) return everyText(Number(schedule.everyMinutes));
  return `${text(schedule.cron)} in ${text(schedule.timeZone)}`;
}

const everyText = (minutes: number): string =>
  minutes % 60 === 0
    ? minutes === 60
      ? 'every hour'
      : `every ${minutes / 60} hours`
    : `every ${minutes} min`;

/** What became of a run, in words. */
export const RUN_STATES: Readonly<Record<FeedRun['state'], string>> = {
  running: 'running',
  applied: 'applied',
  unchanged: 'no change',
  held: 'held',
  planned: 'planned only',
  failed: 'failed',
  canceled: 'canceled',
};
