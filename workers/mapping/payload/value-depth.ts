import { LosslessNumber } from 'lossless-json';
import type { JsonValue } from '../values/json-value.js';

/** Returns whether a parsed value is nested deeper than `depth`. Never descends further, so that it cannot overflow the stack. */
export function isValueDeeperThan(value: JsonValue, depth: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return false;
  if (depth === 0) return true;
  const inner = Array.isArray(value) ? value : Object.values(value);
  return inner.some((element) => isValueDeeperThan(element, depth - 1));
}
