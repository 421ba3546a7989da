/** A number of bytes in words: `312 B`, `4.1 KB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'KB'] : [bytes / 1_000_000, 'MB'];
  return `${size.toFixed(1)} ${unit}`;
}
