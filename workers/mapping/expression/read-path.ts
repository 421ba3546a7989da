import { isObject, type JsonValue } from '../values/json-value.js';
import type { Path } from '../values/path.js';
import type { ExpressionRoots } from './scope.js';

/** Returns the value that an expression reads at a path: own properties and elements, without the shortcuts of templates. */
export function readPath({ root, keys }: Path, roots: ExpressionRoots): JsonValue | undefined {
  let value: JsonValue | undefined = root === 'element' ? undefined : roots[root];
  for (const key of keys) {
    if (Array.isArray(value)) value = /^\d+$/.test(key) ? value[Number(key)] : undefined;
    else value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}
