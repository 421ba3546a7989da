import { Budget, type BudgetCode, BudgetExceeded } from '../values/budget.js';
import { isObject, type JsonObject, type JsonValue } from '../values/json-value.js';
import type { Path } from '../values/path.js';
import { parsePayload } from './parse-payload.js';

/** Steps for each parse, and characters parsed for each further step. 50,000 steps parse at most 1.25 million characters. */
const PARSE_STEPS = 20;
const CHARACTERS_PER_STEP = 25;

/** How a JSON text starts. Recognizes most other texts without parsing them, because each failed parse throws. */
const JSON_START = /^\s*[[{"\d\-tfn]/;

/** The warning for a path of `expandJson` with texts that stay as sent. */
export interface NotExpanded {
  code: 'not_expanded';
  message: string;
  /** The path, as the mapping spells it. */
  value: string;
}

/**
 * Replaces texts that contain JSON by the parsed JSON. A path leads through lists: `Records.body` expands the body of every
 * record. The payload itself is not modified. All paths share one budget. Once it is exceeded, the remaining texts stay as
 * sent, with a warning.
 */
export function expandJson(
  payload: JsonValue,
  paths: readonly Path[],
): { payload: JsonValue; warnings: readonly NotExpanded[] } {
  if (paths.length === 0) return { payload, warnings: NONE };
  const warnings: NotExpanded[] = [];
  const budget = new Budget();
  const copies = new Copies();
  let expanded = payload;
  for (const path of paths) {
    const expansion = new Expansion(budget, copies);
    expanded = expansion.expand(expanded, path.keys);
    if (expansion.error !== null) warnings.push(notExpanded(path, expansion));
  }
  return { payload: expanded, warnings };
}

const NONE: readonly NotExpanded[] = [];

/** The expansion of one path. */
class Expansion {
  /** Values at the end of the path, and how many of them are not JSON texts. */
  values = 0;
  failed = 0;
  error: 'not_json' | BudgetCode | null = null;
  readonly #budget: Budget;
  readonly #copies: Copies;

  constructor(budget: Budget, copies: Copies) {
    this.#budget = budget;
    this.#copies = copies;
  }

  expand(value: JsonValue, keys: readonly string[]): JsonValue {
    if (keys.length === 0) return this.#parse(value);
    if (Array.isArray(value)) return this.#inList(value, keys);
    return isObject(value) ? this.#inObject(value, keys) : value;
  }

  #parse(value: JsonValue): JsonValue {
    this.values += 1;
    const isText = typeof value === 'string' && JSON_START.test(value);
    if (isText && !this.#spend(PARSE_STEPS + Math.floor(value.length / CHARACTERS_PER_STEP))) return value;
    const parsed = isText ? parsePayload(value) : ({ error: 'not_json' } as const);
    if ('value' in parsed) return parsed.value;
    this.failed += 1;
    this.error ??= parsed.error;
    return value;
  }

  /** Expands the element at an index. If the key is not an index, expands every element. */
  #inList(list: JsonValue[], keys: readonly string[]): JsonValue {
    const [key = ''] = keys;
    if (/^\d+$/.test(key)) {
      const element = list[Number(key)];
      if (element === undefined) return list;
      return this.#copies.withElement(list, Number(key), this.expand(element, keys.slice(1)));
    }
    let expanded = list;
    for (const [index, element] of list.entries()) {
      if (!this.#spend(1)) break;
      expanded = this.#copies.withElement(expanded, index, this.expand(element, keys));
    }
    return expanded;
  }

  /** Tries the next key, then the next two joined by a dot, and so on, until a value is found, like paths of templates. */
  #inObject(object: JsonObject, keys: readonly string[]): JsonValue {
    const before = this.values;
    let key = '';
    for (const [index, part] of keys.entries()) {
      if (!this.#spend(1)) break;
      key = index === 0 ? part : `${key}.${part}`;
      if (!Object.hasOwn(object, key)) continue;
      const inner = this.expand(object[key] ?? null, keys.slice(index + 1));
      if (this.values > before) return this.#copies.withKey(object, key, inner);
    }
    return object;
  }

  /** Returns false once the budget is exceeded. */
  #spend(steps: number): boolean {
    try {
      this.#budget.step(steps);
      return true;
    } catch (error) {
      if (!(error instanceof BudgetExceeded)) throw error;
      this.error = error.code;
      return false;
    }
  }
}

/** Copies the objects and lists on the way to an expanded text, each once: later changes go into the same copy. */
class Copies {
  readonly #made = new Set<JsonValue>();

  withElement(list: JsonValue[], index: number, value: JsonValue): JsonValue[] {
    if (list[index] === value) return list;
    const copy = this.#made.has(list) ? list : this.#note([...list]);
    copy[index] = value;
    return copy;
  }

  withKey(object: JsonObject, key: string, value: JsonValue): JsonObject {
    if (object[key] === value) return object;
    const copy = this.#made.has(object) ? object : this.#note({ ...object });
    // An assignment to `__proto__` would set the prototype.
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
    return copy;
  }

  #note<T extends JsonValue>(copy: T): T {
    this.#made.add(copy);
    return copy;
  }
}

function notExpanded({ text }: Path, { values, failed, error }: Expansion): NotExpanded {
  const code = 'not_expanded';
  if (error === 'too_many_steps') {
    const message = `expanding ${text} takes too many steps with this payload; the remaining values stay as sent`;
    return { code, message, value: text };
  }
  const what = values > 1 ? `${failed} of ${values} values at ${text} are` : `${text} is`;
  const why = error === 'too_deep' ? 'JSON that is nested too deeply' : 'not JSON text';
  return { code, message: `${what} ${why}; left as sent`, value: text };
}
