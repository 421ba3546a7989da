import { Budget, withinBudget } from './budget.js';
import { isObject, type JsonObject, type JsonValue, limitText } from './json-value.js';

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** Segments of a path that are tried together as one key with dots. */
const MAX_JOINED = 8;

/**
 * Follows a path through own properties, list indexes and named entries of lists, and nothing else. Returns undefined if the
 * path leads nowhere. Where a path breaks off, its segments are tried as keys with dots: `labels.k8s.cluster` finds
 * `labels["k8s.cluster"]`.
 * @throws BudgetExceeded
 */
export function follow(
  start: JsonValue | undefined,
  keys: readonly string[],
  budget: Budget,
): JsonValue | undefined {
  let value = start;
  for (const key of keys) {
    budget.step();
    value = child(value, key, budget);
    if (value === undefined) return keys.length > 1 ? followJoined(start, keys, budget)?.value : undefined;
  }
  return value;
}

/** A value and the steps that lead to it: keys as the payload spells them, and list indexes. */
export interface Place {
  value: JsonValue;
  steps: (string | number)[];
}

/**
 * Returns the place that a path leads to, with single and joined segments, or undefined if it leads nowhere.
 * @throws BudgetExceeded
 */
export const findPlace = (start: JsonValue, keys: readonly string[], budget: Budget): Place | undefined =>
  keys.length === 0 ? { value: start, steps: [] } : followJoined(start, keys, budget);

/** Tries one segment first, then two joined by a dot, and so on. The budget limits the number of combinations. */
function followJoined(
  value: JsonValue | undefined,
  keys: readonly string[],
  budget: Budget,
): Place | undefined {
  const most = Math.min(keys.length, MAX_JOINED);
  for (let count = 1; count <= most; count++) {
    budget.step();
    const key = count === 1 ? (keys[0] ?? '') : keys.slice(0, count).join('.');
    const next = child(value, key, budget);
    if (next === undefined) continue;
    const step = Array.isArray(value) && INDEX.test(key) ? Number(key) : key;
    if (count === keys.length) return { value: next, steps: [step] };
    const rest = followJoined(next, keys.slice(count), budget);
    if (rest) return { value: rest.value, steps: [step, ...rest.steps] };
  }
  return undefined;
}

/**
 * Does what `follow` does, with a separate budget. In a list that is too long to be searched for a name, nothing is found by
 * that name.
 */
export const followWithOwnBudget = (start: JsonValue, keys: readonly string[]): JsonValue | undefined =>
  withinBudget(() => follow(start, keys, new Budget()));

/** Takes one step of a path. Never reads the prototype: `constructor` is found only if the payload contains it. */
function child(value: JsonValue | undefined, key: string, budget: Budget): JsonValue | undefined {
  if (Array.isArray(value)) {
    if (INDEX.test(key) && Number(key) < value.length) return value[Number(key)];
    return entryInList(value, key, budget);
  }
  if (typeof value === 'string') return entryInText(value, key, budget);
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function entryInList(list: JsonValue[], name: string, budget: Budget): JsonValue | undefined {
  for (const element of list) {
    budget.step();
    const entry = namedEntry(element);
    if (entry?.[0] === name) return entry[1];
  }
  return undefined;
}

/** Characters of a text that can be searched for a name in the time of one step. */
const SEARCHED_PER_STEP = 100;

/** Returns the trimmed value of a name in a text that lists names and values. */
function entryInText(text: string, name: string, budget: Budget): JsonValue | undefined {
  const start = limitText(text);
  budget.step(Math.ceil(start.length / SEARCHED_PER_STEP));
  if (!start.includes(name)) return undefined;
  budget.write(start.length);
  for (const piece of splitEntries(start)) {
    budget.step();
    const entry = namedEntry(piece);
    if (entry?.[0].trimEnd() === name) return String(entry[1]).trim();
  }
  return undefined;
}

/**
 * Returns the name and the value of an element of a list of names and values, or null if it has another form. Recognizes
 * `"env:production"` (Datadog), `"env=production"` (Prometheus), `["browser", "Firefox"]` (Sentry) and
 * `{"name": "env", "value": "production"}` (CloudWatch, Azure), also with `key` (OpenTelemetry, AWS tags), `label` or `tag`
 * (Zabbix) in place of `name`.
 */
export function namedEntry(element: JsonValue): [name: string, value: JsonValue] | null {
  if (typeof element === 'string') return fromText(element);
  if (Array.isArray(element)) return fromPair(element);
  return isObject(element) ? fromObject(element) : null;
}

/** Returns the pieces of a text such as `env:production, team:storage` (Datadog's `$TAGS`). Each may be a named entry. */
export const splitEntries = (text: string): string[] =>
  limitText(text)
    .split(',')
    .map((piece) => piece.trim());

/** Names of tags are short. A longer text before the separator is prose that contains a colon. */
const MAX_NAME = 200;

const SEPARATOR = /[:=]/;

function fromText(text: string): [string, string] | null {
  const at = text.slice(0, MAX_NAME).search(SEPARATOR);
  if (at < 1 || text.startsWith('//', at + 1)) return null;
  return [text.slice(0, at), text.slice(at + 1)];
}

function fromPair(pair: JsonValue[]): [string, JsonValue] | null {
  const [name, value] = pair;
  return pair.length === 2 && typeof name === 'string' && value !== undefined ? [name, value] : null;
}

function fromObject(object: JsonObject): [string, JsonValue] | null {
  const name = firstOwn(object, NAMES);
  const value = firstOwn(object, VALUES);
  return typeof name === 'string' && value !== undefined ? [name, value] : null;
}

const NAMES = ['name', 'key', 'Name', 'Key', 'label', 'Label', 'tag', 'Tag'];
const VALUES = ['value', 'Value'];

function firstOwn(object: JsonObject, keys: string[]): JsonValue | undefined {
  const key = keys.find((key) => Object.hasOwn(object, key));
  return key === undefined ? undefined : object[key];
}
