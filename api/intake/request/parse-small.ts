import { findJsonFault } from '../../../workers/json/find-json-fault.js';

const MAX_DEPTH = 8;

/**
 * Returns the value of a body that is JSON with at most `maxValues` values; null for any other. `JSON.parse` takes 20 times as long for
 * many values as for long texts.
 */
export function parseSmall(body: Buffer, maxValues: number): unknown {
  if (findJsonFault(body, { maxDepth: MAX_DEPTH, maxValues }) !== null) return null;
  return JSON.parse(body.toString());
}
