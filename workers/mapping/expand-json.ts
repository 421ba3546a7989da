import { parsePayload } from './parse-payload.js';
import type { Path } from './path.js';
import type { Warning } from './results.js';
import { isObject, type JsonObject, type JsonValue } from './values.js';

/**
 * Puts parsed JSON in the place of texts that hold it. A path leads through lists: `Records.body` expands the body of every
 * record. The payload itself is left as it is.
 */
export function expandJson(
  payload: JsonValue,
  paths: readonly Path[],
): { payload: JsonValue; warnings: Warning[] } {
  const warnings: Warning[] = [];
  let expanded = payload;
  for (const path of paths) {
    const expansion = new Expansion();
    expanded = expansion.expand(expanded, path.keys);
    if (expansion.fault !== null) warnings.push(notExpanded(path, expansion));
  }
  return { payload: expanded, warnings };
}

/** The expansion of one path. It copies only the objects and lists that lead to an expanded text. */
class Expansion {
  /** Values at the path's end, and those of them that hold no JSON. */
  values = 0;
  failed = 0;
  fault: 'not_json' | 'too_deep' | null = null;

  expand(value: JsonValue, keys: readonly string[]): JsonValue {
    if (keys.length === 0) return this.#parse(value);
    if (Array.isArray(value)) return this.#inList(value, keys);
    return isObject(value) ? this.#inObject(value, keys) : value;
  }

  #parse(value: JsonValue): JsonValue {
    const parsed = typeof value === 'string' ? parsePayload(value) : ({ fault: 'not_json' } as const);
    this.values += 1;
    if ('value' in parsed) return parsed.value;
    this.failed += 1;
    this.fault ??= parsed.fault;
    return value;
  }

  /** The element at a position, or else every element. */
  #inList(list: JsonValue[], [key, ...rest]: readonly string[]): JsonValue {
    if (/^\d+$/.test(key as string)) {
      const element = list[Number(key)];
      return element === undefined ? list : list.with(Number(key), this.expand(element, rest));
    }
    return list.map((element) => this.expand(element, [key as string, ...rest]));
  }

  /** The next key, or the next few joined by dots where only such a key is there. */
  #inObject(object: JsonObject, keys: readonly string[]): JsonValue {
    for (let count = 1; count <= keys.length; count++) {
      const key = keys.slice(0, count).join('.');
      if (!Object.hasOwn(object, key)) continue;
      const inner = this.expand(object[key] as JsonValue, keys.slice(count));
      return withKey(object, key, inner);
    }
    return object;
  }
}

/** A copy; `__proto__` is a key like any other. */
const withKey = (object: JsonObject, key: string, value: JsonValue): JsonObject =>
  object[key] === value ? object : { ...object, [key]: value };

function notExpanded({ text }: Path, { values, failed, fault }: Expansion): Warning {
  const what = values > 1 ? `${failed} of ${values} values at ${text} are` : `${text} is`;
  const why = fault === 'too_deep' ? 'JSON nested too deep' : `not text that holds JSON`;
  return { code: 'not_expanded', message: `${what} ${why}; left as sent`, value: text };
}
