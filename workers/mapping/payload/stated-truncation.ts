import { LosslessNumber } from 'lossless-json';
import { isObject, type JsonValue } from '../values/json-value.js';
import { formatPath } from '../values/path.js';

/** A sender's statement that its payload is incomplete. */
export interface StatedTruncation {
  path: string;
  /** How many things it left out; null if it does not say. */
  count: number | null;
}

/**
 * The names under which senders say so: `truncatedAlerts` of Alertmanager and Grafana, `truncated` of Bitbucket and GitHub,
 * `isTruncated` of AWS, `commits_truncated`, `incomplete_results`.
 */
const NAME = /^(?:is_?)?truncated(?:$|_|[A-Z])|[a-z](?:_t|T)runcated$|^(?:is_?)?incomplete(?:_?results)?$/i;

/** A statement is near the top. Deeper values belong to what the payload is about. */
const MAX_DEPTH = 4;
const MAX_ELEMENTS = 10;
const MAX_VALUES = 2_000;

/** Returns the first statement of a payload that something was left out of it, or null. Reads at most 2,000 values. */
export function statedTruncation(payload: JsonValue): StatedTruncation | null {
  let left = MAX_VALUES;
  const search = (value: JsonValue, keys: (string | number)[]): StatedTruncation | null => {
    if (keys.length > MAX_DEPTH) return null;
    const entries: [string | number, JsonValue][] = Array.isArray(value)
      ? [...value.slice(0, MAX_ELEMENTS).entries()]
      : isObject(value)
        ? Object.entries(value)
        : [];
    for (const [key, inner] of entries) {
      left -= 1;
      if (left < 0) return null;
      const path = [...keys, key];
      const count = typeof key === 'string' && NAME.test(key) ? leftOut(inner) : 0;
      const found = count === 0 ? search(inner, path) : { path: formatPath('webhook', path), count };
      if (found) return found;
    }
    return null;
  };
  return search(payload, []);
}

/** Returns how many things a statement says were left out: null for `true`, 0 for none and for any other value. */
function leftOut(value: JsonValue): number | null {
  if (value === true || value === 'true') return null;
  const number = typeof value === 'number' || value instanceof LosslessNumber ? Number(value) : 0;
  return number > 0 ? number : 0;
}
