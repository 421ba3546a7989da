/** `1,234,567` */
export function wholeNumber(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}

/** `1 row`, `1,234 rows` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${wholeNumber(count)} ${count === 1 ? one : many}`;
}

const units = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
] as const;

/** `812 bytes`, `12.3 MB`; decimal units, as disks and networks are sold. */
export function byteSize(bytes: number): string {
  const [size, unit] = units.find(([least]) => bytes >= least) ?? [];
  return size ? `${(bytes / size).toFixed(1)} ${unit}` : counted(Math.round(bytes), 'byte');
}

/** `0:42`, `12:05`, `1:02:03` */
export function clockTime(seconds: number): string {
  const whole = Math.ceil(seconds);
  const two = (number: number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
