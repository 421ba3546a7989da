import { followAlone } from './lookup.js';
import { parsePayload } from './parse-payload.js';
import type { Path } from './path.js';
import type { Warning } from './results.js';
import { isObject, type JsonValue } from './values.js';

/** Puts parsed JSON in the place of texts that hold it. The payload itself is left as it is. */
export function expandJson(
  payload: JsonValue,
  paths: readonly Path[],
): { payload: JsonValue; warnings: Warning[] } {
  const warnings: Warning[] = [];
  let expanded = payload;
  for (const path of paths) {
    const text = followAlone(expanded, path.keys);
    const inner = typeof text === 'string' ? parsePayload(text) : { fault: 'not_json' };
    if ('value' in inner) expanded = replace(expanded, path.keys, inner.value);
    else if (text !== undefined) warnings.push(notExpanded(path, inner.fault));
  }
  return { payload: expanded, warnings };
}

function notExpanded({ text }: Path, fault: string): Warning {
  const why = fault === 'too_deep' ? 'is JSON nested too deep' : 'is no text that holds JSON';
  return { code: 'not_expanded', message: `${text} ${why}; it is left as it is`, value: text };
}

/** A copy of the objects and lists along the path, with another value at its end. */
function replace(value: JsonValue, keys: readonly string[], inner: JsonValue): JsonValue {
  const [key, ...rest] = keys;
  if (key === undefined) return inner;
  if (Array.isArray(value))
    return value.map((element, i) => (String(i) === key ? replace(element, rest, inner) : element));
  if (!isObject(value)) return value;
  return { ...value, [key]: replace(value[key] as JsonValue, rest, inner) };
}
