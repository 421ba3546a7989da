import type { CompiledMapping } from '../definition/compile.js';
import { expandJson } from '../payload/expand-json.js';
import { Budget, withinBudget } from '../values/budget.js';
import { isBlank, isObject, type JsonValue } from '../values/json-value.js';
import { findPlace } from '../values/lookup.js';
import { formatPath, parsePath, suggestible } from '../values/path.js';
import { itemsOf } from '../values/split.js';

/**
 * Returns the path of a value that a sender has renamed: the only one that is next to where the value was, was not there before, and is text,
 * a list or an object as the value was. Null if there is none or there are several.
 * @param before a payload with the value
 * @param after a payload without it
 */
export function renamedPath(
  mapping: CompiledMapping,
  path: string,
  { before, after }: { before: JsonValue; after: JsonValue },
): string | null {
  const { root, keys } = parsePath(path) ?? { root: 'element' as const, keys: [] };
  if (root !== 'webhook' && root !== 'item') return null;
  const [start, end] = [before, after].map((payload) => rootIn(mapping, root, payload));
  if (start === undefined || end === undefined) return null;
  const steps = withinBudget(() => findRenamed(keys, start, end)) ?? null;
  return steps && suggestible(formatPath(root, steps));
}

function rootIn(
  { split, expandJson: texts }: CompiledMapping,
  root: 'webhook' | 'item',
  payload: JsonValue,
): JsonValue | undefined {
  const webhook = expandJson(payload, texts).payload;
  return root === 'webhook' ? webhook : ((split && itemsOf(webhook, split))?.[0] ?? undefined);
}

function findRenamed(
  keys: readonly string[],
  before: JsonValue,
  after: JsonValue,
): (string | number)[] | null {
  const budget = new Budget();
  const value = findPlace(before, keys, budget)?.value;
  const was = findPlace(before, keys.slice(0, -1), budget)?.value;
  const is = findPlace(after, keys.slice(0, -1), budget);
  if (value === undefined || !isObject(was) || !is || !isObject(is.value)) return null;
  const added = Object.entries(is.value).filter(
    ([key, other]) => !Object.hasOwn(was, key) && !isBlank(other) && kindOf(other) === kindOf(value),
  );
  const [only] = added;
  return only && added.length === 1 ? [...is.steps, only[0]] : null;
}

function kindOf(value: JsonValue): 'text' | 'list' | 'object' {
  if (Array.isArray(value)) return 'list';
  return isObject(value) ? 'object' : 'text';
}
