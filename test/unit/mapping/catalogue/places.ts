import type { JsonValue } from '../../../../workers/mapping/index.js';
import { isObject } from '../../../../workers/mapping/values/json-value.js';

export type Step = string | number;

/** Returns the paths of all values in a payload. Of a list, only the first two elements count. */
export function placesOf(value: JsonValue, path: Step[] = []): Step[][] {
  const entries: [Step, JsonValue][] = Array.isArray(value)
    ? value.slice(0, 2).map((element, index) => [index, element])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, inner]) => [[...path, key], ...placesOf(inner, [...path, key])]);
}

/** Returns the value with another one at a place, or without it. */
export function changed(value: JsonValue, [key, ...rest]: Step[], to: JsonValue | undefined): JsonValue {
  const copy = structuredClone(value) as Record<Step, JsonValue>;
  const inner = copy[key as Step] as JsonValue;
  if (rest.length > 0) copy[key as Step] = changed(inner, rest, to);
  else if (to === undefined && !Array.isArray(value)) delete copy[key as Step];
  else copy[key as Step] = to ?? null;
  return copy as unknown as JsonValue;
}
