import { isObject, type JsonValue } from '../values/json-value.js';

/** Returns a value changed by a JSON Merge Patch (RFC 7396): members that are null are removed, and lists are replaced whole. */
export function mergePatch(target: JsonValue, patch: JsonValue): JsonValue {
  if (!isObject(patch)) return patch;
  const members = new Map(isObject(target) ? Object.entries(target) : []);
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name) ?? null, change));
  }
  return Object.fromEntries(members);
}
