/** Returns a rounded number with separators: `1,234,567`. */
export const wholeNumber = (count: number): string => Math.round(count).toLocaleString('en-US');

/** Returns a number with its noun: `1 row`, `1,234 rows`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`;

const SIZES = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const;

/** Returns a size in decimal units, as disks and networks are sold: `812 bytes`, `12.3 MB`. */
export function byteSize(bytes: number): string {
  const [size, unit] = SIZES.find(([least]) => bytes >= least) ?? [];
  return size ? `${(bytes / size).toFixed(1)} ${unit}` : counted(Math.round(bytes), 'byte');
}

const DURATIONS = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/** Returns a duration in its largest two units: `1 hour 30 minutes`. */
export function duration(seconds: number): string {
  let left = Math.round(seconds);
  const parts: string[] = [];
  for (const [size, unit] of DURATIONS) {
    const count = Math.floor(left / size);
    left -= count * size;
    if (count > 0) parts.push(counted(count, unit));
    if (parts.length === 2 || (parts.length === 1 && count === 0)) break;
  }
  return parts.join(' ') || '0 seconds';
}
