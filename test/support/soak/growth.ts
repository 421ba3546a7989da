/** A value, and the hour at which it was read. */
export type Reading = readonly [hour: number, value: number];

/** Fewer hours than this say little about an hour: a service still fills its caches. */
const FEWEST_HOURS = 0.5;
/** A rise of fewer times the noise may be the part of a saw tooth. */
const NOISE = 3;
/** Of more readings than this, evenly spread ones are compared: the number of pairs grows with their square. */
const MOST_READINGS = 500;

/**
 * Returns whether a measure still grows, judged by the last two thirds of its readings: a line through them rises by more than a tenth and
 * the slack in an hour, and by more than their noise. A median of thirds would miss a slow leak. Readings that are no numbers count as growing.
 * @param slack how much it may grow in an hour, besides a tenth
 */
export function isGrowing(readings: readonly Reading[], slack: number): boolean {
  const late = thinned(readings.slice(Math.floor(readings.length / 3)));
  const values = late.map(([, value]) => value);
  if (!values.every(Number.isFinite)) return true;
  const hours = (late.at(-1)?.[0] ?? 0) - (late[0]?.[0] ?? 0);
  const slope = slopeOf(late);
  const allowed = (median(values) * 0.1 + slack) * Math.max(hours, FEWEST_HOURS);
  return !(slope * hours <= Math.max(allowed, NOISE * noiseAround(slope, late)));
}

function thinned(readings: readonly Reading[]): readonly Reading[] {
  const step = Math.ceil(readings.length / MOST_READINGS);
  return readings.filter((_, at) => at % step === 0);
}

/** Returns the median distance of the readings from their line. */
function noiseAround(slope: number, readings: readonly Reading[]): number {
  const levels = readings.map(([hour, value]) => value - slope * hour);
  const level = median(levels);
  return median(levels.map((one) => Math.abs(one - level)));
}

/** Returns the median of the slopes between all pairs of readings (Theil–Sen), which outliers and saw teeth hardly change. */
function slopeOf(readings: readonly Reading[]): number {
  const slopes = readings.flatMap(([hour, value], at) =>
    readings.slice(at + 1).map(([laterHour, laterValue]) => (laterValue - value) / (laterHour - hour)),
  );
  return median(slopes);
}

export const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
