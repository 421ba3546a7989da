import { isSafeNumber, LosslessNumber, parse as parseLossless } from 'lossless-json';
import type { JsonValue } from './values.js';

/** Lists and objects inside each other; more are refused. */
export const MAX_DEPTH = 64;

export type ParsedPayload = { value: JsonValue } | { fault: 'not_json' | 'too_deep' };

/**
 * A number that may lose digits in a double: 16 or more of them, or an exponent, behind what may stand in front of a
 * number. Text inside strings can look so too; that only costs time.
 */
const RISKY_NUMBER = /(?:^|[:,[\s])-?\d(?:[\d.]{15}|[\d.]*[eE])/;

/**
 * Parses a payload, keeping the digits of numbers that a double cannot hold. `JSON.parse` does it alone where no such
 * number can be there (1 MiB: 5 ms), and in any case checks the syntax and the depth before the slower, recursive
 * lossless parser sees it (1 MiB: 30 ms).
 */
export function parsePayload(payload: Uint8Array | string): ParsedPayload {
  const text = typeof payload === 'string' ? payload : decoder.decode(payload);
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'not_json' };
  }
  if (isDeeperThan(value, MAX_DEPTH)) return { fault: 'too_deep' };
  if (!RISKY_NUMBER.test(text)) return { value };
  return { value: parseLossless(text, undefined, LOSSLESS) as JsonValue };
}

const decoder = new TextDecoder();

/** As `JSON.parse` has it: of a repeated key the last value counts. */
const LOSSLESS = {
  parseNumber: (digits: string) => (isSafeNumber(digits) ? Number(digits) : new LosslessNumber(digits)),
  onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue,
};

/** Looks no further down than the depth asked for, so that no payload overflows the stack. */
export function isDeeperThan(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return false;
  if (depth === 0) return true;
  const inner = Array.isArray(value) ? value : Object.values(value);
  return inner.some((element) => isDeeperThan(element, depth - 1));
}
