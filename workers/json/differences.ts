import { isDeepStrictEqual } from 'node:util';

/** A place at which two values differ. */
export interface Difference {
  path: readonly string[];
  before: unknown;
  after: unknown;
}

/** Yields where two values differ, objects member by member and lists as a whole; null is the same as nothing. */
export function* differences(
  path: readonly string[],
  before: unknown,
  after: unknown,
): Generator<Difference> {
  if (isDeepStrictEqual(before, after)) return;
  if (!isMembers(before) || !isMembers(after)) {
    yield { path, before: before ?? null, after: after ?? null };
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
    yield* differences([...path, name], before[name] ?? null, after[name] ?? null);
}

/** Returns whether a value has members. One that says how it is written as JSON, such as a date, is a value as a whole. */
const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);
