import { wholeNumber } from '../../text/quantities.ts';

/** The size of a chart and its margins, in pixels. */
export interface Box {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** A label of an axis, and its place in pixels. */
export interface Tick {
  at: number;
  label: string;
}

/** Returns the smallest of 10, 20, 50, 100, … that fits all counts. It is at least 10, otherwise a single event would look like a peak. */
export function niceMaximum(counts: readonly number[]): number {
  const greatest = Math.max(10, ...counts);
  const power = 10 ** Math.floor(Math.log10(greatest));
  return ([1, 2, 5, 10].find((step) => step * power >= greatest) as number) * power;
}

/** Returns the x of a minute's center; `number` counts from 0. */
export const xOf = (number: number, minutes: number, { width, left, right }: Box): number =>
  left + ((number + 0.5) * (width - left - right)) / minutes;

/** Returns the y of a count, measured from the top. */
export const yOf = (count: number, maximum: number, { height, top, bottom }: Box): number =>
  height - bottom - (count / maximum) * (height - top - bottom);

/** Returns the `d` of a path through the counts, with a precision of a tenth of a pixel. */
export function linePath(counts: readonly number[], maximum: number, box: Box): string {
  const points = counts.map((count, number) => {
    const [x, y] = [xOf(number, counts.length, box), yOf(count, maximum, box)];
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return points.length === 0 ? '' : `M${points.join('L')}`;
}

/** Returns the `d` of the area between that line and the baseline. */
export function areaPath(counts: readonly number[], maximum: number, box: Box): string {
  const line = linePath(counts, maximum, box);
  const baseline = yOf(0, maximum, box).toFixed(1);
  const x = (number: number) => xOf(number, counts.length, box).toFixed(1);
  return line && `${line}L${x(counts.length - 1)},${baseline}L${x(0)},${baseline}Z`;
}

/** Returns the ticks of the y axis: zero, half and the maximum. */
export const heightTicks = (maximum: number, box: Box): Tick[] =>
  [0, maximum / 2, maximum].map((count) => ({
    at: yOf(count, maximum, box),
    label: Number.isInteger(count) ? wholeNumber(count) : String(count),
  }));

/** Returns the ticks of the x axis: every 15 minutes, labeled by how long ago. Only the first label names the unit. */
export const timeTicks = (minutes: number, box: Box): Tick[] =>
  [60, 45, 30, 15, 1]
    .filter((ago) => ago <= minutes)
    .map((ago, place) => ({
      at: xOf(minutes - ago, minutes, box),
      label: ago === 1 ? 'now' : `−${ago}${place === 0 ? ' min' : ''}`,
    }));
