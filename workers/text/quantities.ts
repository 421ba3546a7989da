/** Returns a rounded number with separators: `1,234,567`. */
export const wholeNumber = (count: number): string => Math.round(count).toLocaleString('en-US');

/** Returns a number with its noun: `1 row`, `1,234 rows`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${wholeNumber(count)} ${count === 1 ? one : many}`;

const UNITS = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const;

/** Returns a size in decimal units, as disks and networks are sold: `812 bytes`, `12.3 MB`. */
export function byteSize(bytes: number): string {
  const [size, unit] = UNITS.find(([least]) => bytes >= least) ?? [];
  return size ? `${(bytes / size).toFixed(1)} ${unit}` : counted(Math.round(bytes), 'byte');
}
