import type { Budget } from '../values/budget.js';
import { isBlank, isObject, type JsonValue, type KeyLists } from '../values/json-value.js';
import { type Place, placeOf } from '../values/lookup.js';
import { namedEntry } from '../values/named-entries.js';
import { fold, foldsTo, mostAlike } from './similar-key.js';

export type Step = string | number;

/** What suggestions are looked for with: the keys of a payload's objects, and what all of an event's may take together. */
export interface Search {
  lists: KeyLists;
  budget: Budget;
}

/** Keys looked at in one object, and values in the whole payload. */
const MAX_KEYS = 200;
const MAX_VALUES = 300;

/** Corrections of one path: each puts one key right. */
const MAX_CORRECTIONS = 4;

/** Segments that are compared together with one key that has dots. */
const MAX_JOINED = 4;

/**
 * Returns the steps to the existing value that was probably meant by a path that leads nowhere, or null. Tried in order:
 * keys spelled alike where the path breaks off, and other positions in a list; the path without what is in front of it (`body`);
 * the same key elsewhere; as far as keys can be put right.
 * @throws BudgetSpent
 */
export function nearestSteps(
  root: JsonValue,
  keys: readonly string[],
  search: Search,
  corrections = MAX_CORRECTIONS,
): Step[] | null {
  if (keys.length === 0) return null;
  const { parent, steps, rest } = deepest(root, keys, search.budget);
  const next = corrected(parent, rest, search);
  const right = next && [...steps, ...next.steps];
  if (next && right) {
    const path = [...right.map(String), ...next.rest];
    const place = filled(placeOf(root, path, search.budget));
    if (place) return place.steps;
    const better = corrections > 0 ? nearestSteps(root, path, search, corrections - 1) : null;
    if (better) return better;
  }
  return (
    withoutFront(root, keys, search.budget) ??
    elsewhere(root, keys, search) ??
    (next?.isKey ? (right as Step[]) : null)
  );
}

const filled = (place: Place | undefined): Place | null => (place && !isBlank(place.value) ? place : null);

/** As far down as the path goes, and what is left of it; a last key that is there, but blank, is left over as well. */
function deepest(
  root: JsonValue,
  keys: readonly string[],
  budget: Budget,
): { parent: JsonValue; steps: Step[]; rest: string[] } {
  for (let count = keys.length - 1; count > 0; count--) {
    const place = placeOf(root, keys.slice(0, count), budget);
    if (place && !isBlank(place.value)) {
      return { parent: place.value, steps: place.steps, rest: keys.slice(count) };
    }
  }
  return { parent: root, steps: [], rest: [...keys] };
}

interface Correction {
  steps: Step[];
  /** What is left of the path behind them. */
  rest: string[];
  /** Whether a key was put right; otherwise it is a position in a list. */
  isKey: boolean;
}

/** Puts right the first of the keys that are left over. */
function corrected(parent: JsonValue, rest: string[], { lists, budget }: Search): Correction | null {
  const keys = childKeys(parent, lists);
  for (let count = 1; count <= Math.min(rest.length, MAX_JOINED); count++) {
    const alike = mostAlike(rest.slice(0, count).join('.'), keys, budget);
    if (alike !== null) return { steps: [alike], rest: rest.slice(count), isKey: true };
  }
  return Array.isArray(parent) ? inList(parent, rest) : null;
}

/** The last element in place of one beyond the end, and the first where no position was given. */
function inList(list: JsonValue[], rest: string[]): Correction | null {
  if (list.length === 0) return null;
  const isPosition = /^\d+$/.test(rest[0] as string);
  if (isPosition) return { steps: [list.length - 1], rest: rest.slice(1), isKey: false };
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

/** `body.alert.name` is `alert.name` where the sender's own tool calls the payload `body`. */
function withoutFront(root: JsonValue, keys: readonly string[], budget: Budget): Step[] | null {
  for (let front = 1; front < keys.length - 1; front++) {
    const place = filled(placeOf(root, keys.slice(front), budget));
    if (place) return place.steps;
  }
  return null;
}

/** The shallowest place of the last two keys, or else of the last one, breadth first. */
function elsewhere(root: JsonValue, keys: readonly string[], { lists, budget }: Search): Step[] | null {
  const [before, last] = [keys.at(-2), keys.at(-1) as string];
  const wanted = fold(last);
  const parent = before === undefined ? null : fold(before);
  let single: Step[] | null = null;
  const queue: { value: JsonValue; steps: Step[] }[] = [{ value: root, steps: [] }];
  for (let next = 0; next < queue.length && next < MAX_VALUES; next++) {
    const { value, steps } = queue[next] as (typeof queue)[number];
    const inside = children(value, lists);
    budget.step(inside.length);
    for (const [key, inner] of inside) {
      if (typeof key === 'string' && wanted !== '' && foldsTo(key, wanted, budget) && !isBlank(inner)) {
        const found = [...steps, key];
        if (parent === null || isAbove(steps, parent, budget)) return found;
        single ??= found;
      }
      if (queue.length < MAX_VALUES) queue.push({ value: inner, steps: [...steps, key] });
    }
  }
  return single;
}

/** Whether the last key above a place is this one; positions in lists do not count. */
function isAbove(steps: readonly Step[], parent: string, budget: Budget): boolean {
  const key = steps.findLast((step) => typeof step === 'string');
  return typeof key === 'string' && foldsTo(key, parent, budget);
}

function children(value: JsonValue, lists: KeyLists): [Step, JsonValue][] {
  if (Array.isArray(value)) return value.slice(0, 5).map((element, index) => [index, element]);
  if (!isObject(value)) return [];
  const keys = lists.of(value).slice(0, MAX_KEYS);
  return keys.map((key) => [key, value[key] as JsonValue]);
}
