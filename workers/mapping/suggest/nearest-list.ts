import { Budget, withinBudget } from '../values/budget.js';
import { isObject, type JsonValue, type KeyLists } from '../values/json-value.js';
import { findPlace } from '../values/lookup.js';
import { formatPath, suggestible } from '../values/path.js';
import { nearestSteps, type PathStep, type Search } from './nearest-path.js';

/** Values visited in the whole payload. */
const MAX_VALUES = 300;

/**
 * Returns the path of the list that was probably meant by a split that leads to no list, or null if the payload has no list of
 * objects.
 */
export const nearestList = (payload: JsonValue, keys: readonly string[], lists: KeyLists): string | null =>
  withinBudget(() => find(payload, keys, { lists, budget: new Budget() })) ?? null;

function find(payload: JsonValue, keys: readonly string[], search: Search): string | null {
  const { lists, budget } = search;
  const steps = nearestSteps(payload, keys, search);
  const near = steps && findPlace(payload, steps.map(String), budget);
  if (steps && Array.isArray(near?.value)) return suggestible(formatPath('webhook', steps));
  const start = findPlace(payload, keys, budget) ?? near ?? { value: payload, steps: [] };
  const within = firstList(start.value, lists);
  if (within) return suggestible(formatPath('webhook', [...start.steps, ...within]));
  const first = firstList(payload, lists);
  return first && suggestible(formatPath('webhook', first));
}

/** Finds the shallowest list of objects, breadth first. */
function firstList(start: JsonValue, lists: KeyLists): PathStep[] | null {
  const queue: { value: JsonValue; steps: PathStep[] }[] = [{ value: start, steps: [] }];
  // The loop goes on with what it adds.
  for (const { value, steps } of queue) {
    if (Array.isArray(value) && isObject(value[0])) return steps;
    if (!isObject(value)) continue;
    for (const key of lists.of(value).slice(0, Math.max(0, MAX_VALUES - queue.length))) {
      queue.push({ value: value[key] ?? null, steps: [...steps, key] });
    }
  }
  return null;
}
