export { byteSize, counted, wholeNumber } from '../../../workers/text/quantities.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns a duration in its two largest units: `0.4 s`, `42 s`, `12 min 5 s`, `3 h 2 min`, `2 d 4 h`. */
export function duration(seconds: number): string {
  if (seconds < 10) return `${Math.max(0, seconds).toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < MINUTE) return `${whole} s`;
  if (whole < HOUR) return two(Math.floor(whole / MINUTE), 'min', whole % MINUTE, 's');
  if (whole < DAY) return two(Math.floor(whole / HOUR), 'h', Math.floor((whole % HOUR) / MINUTE), 'min');
  return two(Math.floor(whole / DAY), 'd', Math.floor((whole % DAY) / HOUR), 'h');
}

const two = (great: number, unit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${great} ${unit}` : `${great} ${unit} ${small} ${smallUnit}`;
