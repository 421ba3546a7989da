import type { Budget } from '../values/budget.js';
import { isBlank, isObject, type JsonValue, type KeyLists } from '../values/json-value.js';
import { findPlace, namedEntry, type Place } from '../values/lookup.js';
import { foldKey, foldsTo, mostSimilarKey, shortestLongerKey } from './similar-key.js';

export type PathStep = string | number;

/** What the search for suggestions shares within an event: the keys of the payload's objects, and the budget. */
export interface Search {
  lists: KeyLists;
  budget: Budget;
  /** Whether only values that are no objects are found: as the value of a field, an object is useless. */
  skipsObjects?: boolean;
}

/** Keys visited of one object, and values visited in the whole payload. */
const MAX_KEYS = 200;
const MAX_VALUES = 300;

/** Corrections of one path. Each corrects one key. */
const MAX_CORRECTIONS = 4;

/** Segments that are compared as one with a key that has dots. */
const MAX_JOINED = 4;

/**
 * Returns the steps to the existing value that was probably meant by a path that leads nowhere, or null. Tries in this order:
 * a similar key, or another index, where the path breaks off; the path without its first keys (such as `body`); the same key
 * elsewhere; the path as far as it can be corrected.
 * @throws BudgetExceeded
 */
export function nearestSteps(
  root: JsonValue,
  keys: readonly string[],
  search: Search,
  corrections = MAX_CORRECTIONS,
): PathStep[] | null {
  if (keys.length === 0) return null;
  const { parent, steps, rest } = deepest(root, keys, search.budget);
  const correction = correctFirstKey(parent, rest, search);
  const corrected = correction && [...steps, ...correction.steps];
  if (correction && corrected) {
    const path = [...corrected.map(String), ...correction.rest];
    const place = nonBlank(findPlace(root, path, search.budget));
    if (place && isWanted(place.value, search)) return place.steps;
    const better = corrections > 0 ? nearestSteps(root, path, search, corrections - 1) : null;
    if (better) return better;
  }
  return (
    withoutPrefix(root, keys, search) ??
    sameKeyElsewhere(root, keys, search) ??
    (correction?.isKey && corrected ? wanted(root, corrected, search) : null)
  );
}

const isWanted = (value: JsonValue, { skipsObjects = false }: Search): boolean =>
  !(skipsObjects && isObject(value));

/** Returns the steps if they lead to a value that is wanted. */
function wanted(root: JsonValue, steps: PathStep[], search: Search): PathStep[] | null {
  const place = findPlace(root, steps.map(String), search.budget);
  return place && isWanted(place.value, search) ? steps : null;
}

const nonBlank = (place: Place | undefined): Place | null => (place && !isBlank(place.value) ? place : null);

/** Follows the path as far as it leads to a value that is not blank. Returns that value, its steps and the remaining keys. */
function deepest(
  root: JsonValue,
  keys: readonly string[],
  budget: Budget,
): { parent: JsonValue; steps: PathStep[]; rest: string[] } {
  for (let count = keys.length - 1; count > 0; count--) {
    const place = nonBlank(findPlace(root, keys.slice(0, count), budget));
    if (place) return { parent: place.value, steps: place.steps, rest: keys.slice(count) };
  }
  return { parent: root, steps: [], rest: [...keys] };
}

interface Correction {
  steps: PathStep[];
  /** The remaining keys of the path. */
  rest: string[];
  /** Whether a key was corrected, as opposed to a list index. */
  isKey: boolean;
}

/** Corrects the first of the remaining keys. */
function correctFirstKey(parent: JsonValue, rest: string[], { lists, budget }: Search): Correction | null {
  const keys = childKeys(parent, lists);
  for (let count = 1; count <= Math.min(rest.length, MAX_JOINED); count++) {
    const similar = mostSimilarKey(rest.slice(0, count).join('.'), keys, budget);
    if (similar !== null) return { steps: [similar], rest: rest.slice(count), isKey: true };
  }
  if (Array.isArray(parent)) return correctIndex(parent, rest);
  const [last, ...others] = rest;
  const isLast = last !== undefined && others.length === 0;
  const longer = isLast ? shortestLongerKey(last, keys, budget) : null;
  return longer === null ? null : { steps: [longer], rest: others, isKey: true };
}

/** Replaces an index beyond the end by the last one, and inserts the first if the path has none. */
function correctIndex(list: JsonValue[], rest: string[]): Correction | null {
  if (list.length === 0) return null;
  const isIndex = /^\d+$/.test(rest[0] ?? '');
  if (isIndex) return { steps: [list.length - 1], rest: rest.slice(1), isKey: false };
  return typeof list[0] === 'object' ? { steps: [0], rest, isKey: false } : null;
}

function childKeys(parent: JsonValue, lists: KeyLists): string[] {
  if (isObject(parent)) {
    return lists
      .of(parent)
      .slice(0, MAX_KEYS)
      .filter((key) => !isBlank(parent[key]));
  }
  if (!Array.isArray(parent)) return [];
  return parent.slice(0, MAX_KEYS).flatMap((element) => namedEntry(element)?.[0] ?? []);
}

/** Finds `alert.name` for `body.alert.name`, which is how a sender's tool writes it if it calls the payload `body`. */
function withoutPrefix(root: JsonValue, keys: readonly string[], search: Search): PathStep[] | null {
  for (let front = 1; front < keys.length - 1; front++) {
    const place = nonBlank(findPlace(root, keys.slice(front), search.budget));
    if (place && isWanted(place.value, search)) return place.steps;
  }
  return null;
}

/** Finds the shallowest place of the last two keys, or else of the last one, breadth first. */
function sameKeyElsewhere(root: JsonValue, keys: readonly string[], search: Search): PathStep[] | null {
  const { lists, budget } = search;
  const [before, last = ''] = [keys.at(-2), keys.at(-1)];
  const folded = foldKey(last);
  const isFound = (value: JsonValue) => !isBlank(value) && isWanted(value, search);
  const parent = before === undefined ? null : foldKey(before);
  let single: PathStep[] | null = null;
  const queue: { value: JsonValue; steps: PathStep[] }[] = [{ value: root, steps: [] }];
  // The loop goes on with what it adds, up to the limit.
  for (const { value, steps } of queue) {
    const inside = children(value, lists);
    budget.step(inside.length);
    for (const [key, inner] of inside) {
      if (typeof key === 'string' && folded !== '' && foldsTo(key, folded, budget) && isFound(inner)) {
        const found = [...steps, key];
        if (parent === null || isUnder(steps, parent, budget)) return found;
        single ??= found;
      }
      if (queue.length < MAX_VALUES) queue.push({ value: inner, steps: [...steps, key] });
    }
  }
  return single;
}

/** Returns whether the last key of the steps is the parent's. List indexes do not count. */
function isUnder(steps: readonly PathStep[], parent: string, budget: Budget): boolean {
  const key = steps.findLast((step) => typeof step === 'string');
  return typeof key === 'string' && foldsTo(key, parent, budget);
}

function children(value: JsonValue, lists: KeyLists): [PathStep, JsonValue][] {
  if (Array.isArray(value)) return value.slice(0, 5).map((element, index) => [index, element]);
  if (!isObject(value)) return [];
  const keys = lists.of(value).slice(0, MAX_KEYS);
  return keys.map((key) => [key, value[key] ?? null]);
}
