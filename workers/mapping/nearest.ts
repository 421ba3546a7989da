import { namedEntry } from './named-entries.js';
import { formatPath, type Path } from './path.js';
import { isBlank, isObject, type JsonValue, type KeyLists } from './values.js';

type Step = string | number;

/** Keys looked at in one object, and values in the whole payload. */
const MOST_KEYS = 200;
const MOST_VALUES = 300;

/**
 * The existing path that was probably meant by one that leads nowhere: a key spelled alike where the path breaks off,
 * else the same key elsewhere. Null when nothing is near.
 */
export function nearestPath(root: JsonValue | undefined, path: Path, lists: KeyLists): string | null {
  const { root: name, keys } = path;
  if (name === 'element' || root === undefined || keys.length === 0) return null;
  const { parent, steps } = deepest(root, keys);
  const wanted = keys[steps.length] ?? '';
  const alike = mostAlike(wanted, childKeys(parent, lists));
  if (alike !== null) return corrected(root, path, { steps, alike }, lists);
  const elsewhere = findKey(root, fold(keys.at(-1) as string), lists);
  return elsewhere && formatPath(name, elsewhere);
}

/** The path with the key put right that leads nowhere; what is wrong behind it is put right as well. */
function corrected(
  root: JsonValue,
  { root: name, keys }: Path,
  { steps, alike }: { steps: Step[]; alike: string },
  lists: KeyLists,
): string | null {
  const known = formatPath(name, [...steps, alike]);
  const right = keys.with(steps.length, alike);
  const last = right.at(-1) as string;
  const { parent, steps: reached } = deepest(root, right);
  if (steps.length === keys.length - 1 || reached.length <= steps.length) return known;
  const exists = reached.length === right.length - 1 && !isBlank(stepInto(parent, last));
  if (exists) return formatPath(name, [...reached, Array.isArray(parent) ? Number(last) : last]);
  return nearestPath(root, { text: '', root: name, keys: right }, lists) ?? known;
}

/** As far down as the path goes; a last key that is there, but blank, is left over as well. */
function deepest(root: JsonValue, keys: readonly string[]): { parent: JsonValue; steps: Step[] } {
  let parent = root;
  const steps: Step[] = [];
  for (const key of keys.slice(0, -1)) {
    const next = stepInto(parent, key);
    if (next === undefined) break;
    steps.push(Array.isArray(parent) ? Number(key) : key);
    parent = next;
  }
  return { parent, steps };
}

function stepInto(parent: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(parent)) return parent[Number(key)];
  return isObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
}

function childKeys(parent: JsonValue, lists: KeyLists): string[] {
  if (isObject(parent)) return lists.of(parent).slice(0, MOST_KEYS);
  if (!Array.isArray(parent)) return [];
  return parent.slice(0, MOST_KEYS).flatMap((element) => namedEntry(element)?.[0] ?? []);
}

const fold = (key: string): string => key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The key that differs in case and signs only, or in at most a third of its letters. */
function mostAlike(wanted: string, keys: string[]): string | null {
  const target = fold(wanted);
  let best: string | null = null;
  let least = Math.max(1, Math.floor(target.length / 3)) + 1;
  for (const key of keys) {
    if (key === wanted || Math.abs(key.length - wanted.length) >= least + 2) continue;
    const distance = editDistance(target, fold(key));
    if (distance < least) [best, least] = [key, distance];
  }
  return best;
}

/** Insertions, deletions, changes and swaps of neighbours; names longer than 60 are not compared. */
function editDistance(a: string, b: string): number {
  if (a.length > 60 || b.length > 60) return Number.POSITIVE_INFINITY;
  const width = b.length + 1;
  const rows = Array.from({ length: (a.length + 1) * width }, (_, at) => (at < width ? at : 0));
  const at = (i: number, j: number) => rows[i * width + j] as number;
  for (let i = 1; i <= a.length; i++) {
    rows[i * width] = i;
    for (let j = 1; j <= b.length; j++) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(changed, at(i - 1, j) + 1, at(i, j - 1) + 1);
      rows[i * width + j] = swapped ? Math.min(least, at(i - 2, j - 2) + 1) : least;
    }
  }
  return at(a.length, b.length);
}

/** The shallowest place of a key, breadth first. */
function findKey(root: JsonValue, wanted: string, lists: KeyLists): Step[] | null {
  const queue: { value: JsonValue; steps: Step[] }[] = [{ value: root, steps: [] }];
  for (let next = 0; next < queue.length && next < MOST_VALUES; next++) {
    const { value, steps } = queue[next] as (typeof queue)[number];
    for (const [key, inner] of children(value, lists)) {
      if (typeof key === 'string' && fold(key) === wanted && !isBlank(inner)) return [...steps, key];
      if (queue.length < MOST_VALUES) queue.push({ value: inner, steps: [...steps, key] });
    }
  }
  return null;
}

function children(value: JsonValue, lists: KeyLists): [Step, JsonValue][] {
  if (Array.isArray(value)) return value.slice(0, 5).map((element, index) => [index, element]);
  if (!isObject(value)) return [];
  const keys = lists.of(value).slice(0, MOST_KEYS);
  return keys.map((key) => [key, value[key] as JsonValue]);
}
