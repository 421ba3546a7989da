import type { AlertHistogram } from '../../http/types.ts';
import { type Box, type Tick, yOf } from '../../parts/chart/chart-geometry.ts';
import { counted } from '../../text/quantities.ts';
import { fullTime } from '../../text/times.ts';

/** How bars are colored; severities that Muster does not know, and those without one, are `other`. */
const TONES = ['critical', 'error', 'warning', 'info'] as const;
export type BarTone = (typeof TONES)[number] | 'other';

export const toneOf = (severity: string | null): BarTone =>
  TONES.find((tone) => tone === severity) ?? 'other';

/** One part of a bar: the alerts of a bucket with one severity. */
export interface BarPart {
  severity: string | null;
  tone: BarTone;
  y: number;
  height: number;
}

/** Returns the parts of each bucket's bar, the most severe at the bottom. Alerts of rare severities are on top. */
export function barParts({ severities, buckets }: AlertHistogram, maximum: number, box: Box): BarPart[][] {
  const order = severities
    .map(({ severity }, place) => ({ severity, place, tone: toneOf(severity) }))
    .sort((one, other) => rank(one.tone) - rank(other.tone));
  return buckets.map(({ alerts, counts }) => {
    const listed = order.map(({ severity, place, tone }) => ({ severity, tone, count: counts[place] ?? 0 }));
    const rest = alerts - listed.reduce((sum, { count }) => sum + count, 0);
    let below = 0;
    return [...listed, { severity: null, tone: 'other' as const, count: rest }]
      .filter(({ count }) => count > 0)
      .map(({ severity, tone, count }) => {
        const [bottom, y] = [yOf(below, maximum, box), yOf(below + count, maximum, box)];
        below += count;
        return { severity, tone, y, height: bottom - y };
      });
  });
}

const rank = (tone: BarTone): number => (tone === 'other' ? TONES.length : TONES.indexOf(tone));

/** Returns the bucket at a place of the chart, in pixels. */
export function bucketAt(x: number, count: number, { left, right, width }: Box): number {
  const place = Math.floor(((x - left) / (width - left - right)) * count);
  return Math.min(count - 1, Math.max(0, place));
}

/** Returns the time from the start of one bucket to the end of another, in either order. */
export function timeOf(
  { buckets, bucketSeconds }: AlertHistogram,
  one: number,
  other: number,
): { from: string; to: string } {
  const startOf = (place: number) => Date.parse(buckets[place]?.from ?? '');
  const [first, last] = [Math.min(one, other), Math.max(one, other)];
  return {
    from: new Date(startOf(first)).toISOString(),
    to: new Date(startOf(last) + bucketSeconds * 1_000).toISOString(),
  };
}

const MINUTE_S = 60;
const DAY_S = 86_400;

/** Returns the start of a bucket as short as the length of the chart allows, in UTC or in the time zone of the browser. */
function bucketLabel(
  { from, to, bucketSeconds }: Pick<AlertHistogram, 'from' | 'to' | 'bucketSeconds'>,
  at: string,
  zone?: 'UTC',
): string {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1_000;
  const day = { month: 'short', day: 'numeric' } as const;
  const minutes = { hour: '2-digit', minute: '2-digit' } as const;
  const time = bucketSeconds < MINUTE_S ? ({ ...minutes, second: '2-digit' } as const) : minutes;
  const format = seconds <= DAY_S ? time : seconds < 8 * DAY_S ? { ...day, ...time } : day;
  return new Date(at).toLocaleString([], { ...format, timeZone: zone });
}

/** Returns the ticks of the time axis: at most `most` starts of buckets, each with another label than the one before. */
export function bucketTicks(histogram: AlertHistogram, most: number, box: Box, zone?: 'UTC'): Tick[] {
  const { buckets } = histogram;
  const count = Math.min(buckets.length, Math.max(1, most));
  const step = (box.width - box.left - box.right) / buckets.length;
  return Array.from({ length: count }, (_, tick) => {
    const bucket = Math.floor((tick * buckets.length) / count);
    return {
      at: box.left + bucket * step,
      label: bucketLabel(histogram, buckets[bucket]?.from ?? '', zone),
    };
  }).filter(({ label }, tick, all) => label !== all[tick - 1]?.label);
}

/**
 * Returns the histogram up to its last alert. If no time is chosen, it ends now, and the first alerts of a new installation would
 * share an ever smaller part of the chart.
 */
export function withoutTail(histogram: AlertHistogram): AlertHistogram {
  const { buckets } = histogram;
  const count = buckets.findLastIndex(({ alerts }) => alerts > 0) + 1;
  const next = buckets[count];
  return next && count > 0 ? { ...histogram, to: next.from, buckets: buckets.slice(0, count) } : histogram;
}

/** Returns the chart in one sentence, as its accessible name. */
export function describeHistogram(histogram: AlertHistogram, zone?: 'UTC'): string {
  const { alerts, severities, from, to } = histogram;
  const parts = severities.map(
    ({ severity, alerts: count }) => `${count} ${severity ?? 'without a severity'}`,
  );
  return `${counted(alerts, 'alert')} from ${fullTime(from, zone)} to ${fullTime(to, zone)}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
}
