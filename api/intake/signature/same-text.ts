import { timingSafeEqual } from 'node:crypto';

/** Compares in a time that reveals nothing but the length. Headers are Latin-1 texts, as Node reads them. */
export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
