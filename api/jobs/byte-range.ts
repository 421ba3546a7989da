import type { ByteRange } from '../../db/files/index.js';

/**
 * Returns the part of a file that a `Range` header requests (RFC 9110 §14.2). Returns `whole` for headers that may be
 * ignored: none, another unit, several ranges, or a malformed one.
 */
export function requestedRange(header: string, bytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') return lastBytes(Number(last), bytes);
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Number(last);
  if (last !== '' && end < start) return 'whole';
  return start < bytes ? { start, end: Math.min(end, bytes - 1) } : 'unsatisfiable';
}

const lastBytes = (count: number, bytes: number): ByteRange | 'unsatisfiable' =>
  count === 0 || bytes === 0 ? 'unsatisfiable' : { start: Math.max(0, bytes - count), end: bytes - 1 };
