import { parsePayload } from '../payload/parse-payload.js';
import { isObject, type JsonValue } from '../values/json-value.js';
import type { Path } from '../values/path.js';
import type { Split } from '../values/split.js';

/** What is read of a payload: enough to tell the sources apart, and little enough for a payload of any size. */
const LIMITS = {
  /** Keys visited in all. */
  keys: 4_000,
  depth: 8,
  /** Elements of a list, which usually have the same keys. */
  elements: 3,
  /** JSON texts that are parsed, and their characters in all. */
  texts: 10,
  characters: 256 * 1024,
};

/** Names of objects whose keys the user of a source chooses. They say nothing about the source. */
const FREE = /(?:labels|annotations|tags|values|dimensions|properties)$/i;

export const isFree = (key: string): boolean => FREE.test(key);

/** The paths of a payload's keys that its source chooses, without the positions in lists: `alerts[].startsAt`, `alerts[].labels`. */
export type Shape = ReadonlySet<string>;

/** Returns the shape of a payload. Texts that contain JSON objects count like the objects. */
export function shapeOf(payload: JsonValue): Shape {
  const walk = new Walk();
  walk.visit(payload, '', 0);
  return walk.paths;
}

/** Returns the keys on the path that a template names as a shape has them. An item of a split may be the whole payload. */
export function shapeOfPath({ root, keys }: Path, split: Split | null): string[] {
  if (root !== 'item') return withParents(keys);
  const inList = withParents([...(split?.keys ?? []), '0', ...keys]);
  return split?.orWhole ? [...inList, ...withParents(keys)] : inList;
}

function withParents(keys: readonly string[]): string[] {
  const paths: string[] = [];
  let text = '';
  for (const key of keys) {
    const isIndex = /^\d+$/.test(key);
    text += isIndex ? '[]' : `${text && '.'}${key}`;
    if (!isIndex) paths.push(text);
    if (isFree(key)) break;
  }
  return paths;
}

class Walk {
  readonly paths = new Set<string>();
  #keys: number = LIMITS.keys;
  #texts: number = LIMITS.texts;
  #characters: number = LIMITS.characters;

  visit(value: JsonValue, path: string, depth: number): void {
    if (depth > LIMITS.depth) return;
    if (Array.isArray(value)) {
      for (const element of value.slice(0, LIMITS.elements)) this.visit(element, `${path}[]`, depth + 1);
    } else if (typeof value === 'string') this.#visitText(value, path, depth);
    else if (isObject(value)) this.#visitObject(value, path, depth);
  }

  #visitObject(object: Record<string, JsonValue>, path: string, depth: number): void {
    for (const key in object) {
      if (!Object.hasOwn(object, key)) continue;
      if (this.#keys <= 0) return;
      this.#keys -= 1;
      const own = path === '' ? key.slice(0, 100) : `${path}.${key.slice(0, 100)}`;
      this.paths.add(own);
      if (!isFree(key)) this.visit(object[key] ?? null, own, depth + 1);
    }
  }

  #visitText(text: string, path: string, depth: number): void {
    if (this.#texts <= 0 || text.length > this.#characters || !/^\s*\{/.test(text)) return;
    this.#texts -= 1;
    this.#characters -= text.length;
    const parsed = parsePayload(text);
    if ('value' in parsed) this.visit(parsed.value, path, depth + 1);
  }
}
