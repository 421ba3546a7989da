import { wholeNumber } from '../text/quantities.ts';

/** A chart of counts a minute, in pixels: lines for two series, bars from below for a third. */
export interface Minute {
  minute: string;
  accepted: number;
  stored: number;
  failed: number;
}

export interface Box {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Tick {
  at: number;
  label: string;
}

/** The least of 1, 2, 5, 10, 20, … that is not below the greatest count; at least 10, so that one event is no peak. */
export function niceMaximum(counts: readonly number[]): number {
  const greatest = Math.max(10, ...counts);
  const power = 10 ** Math.floor(Math.log10(greatest));
  return ([1, 2, 5, 10].find((step) => step * power >= greatest) as number) * power;
}

/** Where the middle of the minute with that number is, from the left. */
export const xOf = (number: number, minutes: number, { width, left, right }: Box): number =>
  left + ((number + 0.5) * (width - left - right)) / minutes;

/** How high a count is, from above. */
export const yOf = (count: number, maximum: number, { height, top, bottom }: Box): number =>
  height - bottom - (count / maximum) * (height - top - bottom);

/** The `d` of a path through the counts, to a tenth of a pixel. */
export function linePath(counts: readonly number[], maximum: number, box: Box): string {
  const points = counts.map((count, number) => {
    const [x, y] = [xOf(number, counts.length, box), yOf(count, maximum, box)];
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

/** The same down to the ground, to be filled. */
export function areaPath(counts: readonly number[], maximum: number, box: Box): string {
  const line = linePath(counts, maximum, box);
  const ground = yOf(0, maximum, box).toFixed(1);
  const x = (number: number) => xOf(number, counts.length, box).toFixed(1);
  return line && `${line}L${x(counts.length - 1)},${ground}L${x(0)},${ground}Z`;
}

/** Three heights with their counts. */
export const heightTicks = (maximum: number, box: Box): Tick[] =>
  [0, maximum / 2, maximum].map((count) => ({
    at: yOf(count, maximum, box),
    label: Number.isInteger(count) ? wholeNumber(count) : String(count),
  }));

/** Every quarter of the hour, told by how long ago it was; the first one names the unit. */
export const timeTicks = (minutes: number, box: Box): Tick[] =>
  [60, 45, 30, 15, 1]
    .filter((ago) => ago <= minutes)
    .map((ago, place) => ({
      at: xOf(minutes - ago, minutes, box),
      label: ago === 1 ? 'now' : `−${ago}${place === 0 ? ' min' : ''}`,
    }));

export const sumOf = (minutes: readonly Minute[], name: 'accepted' | 'stored' | 'failed'): number =>
  minutes.reduce((sum, minute) => sum + minute[name], 0);
