import { Budget, BudgetSpent } from './budget.js';
import { namedEntry } from './named-entries.js';
import { isObject, type JsonValue } from './values.js';

const INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** Follows a path through own properties, list positions and named entries of lists, and nothing else. */
export function follow(
  start: JsonValue | undefined,
  keys: readonly string[],
  budget: Budget,
): JsonValue | undefined {
  let value = start;
  for (const key of keys) {
    budget.step();
    value = child(value, key, budget);
    if (value === undefined) return undefined;
  }
  return value;
}

/** As `follow`, with a budget of its own: a list too long to be searched for a name holds nothing by that name. */
export function followAlone(start: JsonValue, keys: readonly string[]): JsonValue | undefined {
  try {
    return follow(start, keys, new Budget());
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined;
    throw error;
  }
}

/** One step of a path. Never the prototype's: `constructor` is there only if the payload says so. */
function child(value: JsonValue | undefined, key: string, budget: Budget): JsonValue | undefined {
  if (Array.isArray(value)) {
    if (INDEX.test(key) && Number(key) < value.length) return value[Number(key)];
    return byName(value, key, budget);
  }
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function byName(list: JsonValue[], name: string, budget: Budget): JsonValue | undefined {
  for (const element of list) {
    budget.step();
    const entry = namedEntry(element);
    if (entry?.[0] === name) return entry[1];
  }
  return undefined;
}
