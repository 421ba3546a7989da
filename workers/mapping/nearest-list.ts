import { placeOf } from './lookup.js';
import { nearestSteps, type Step } from './nearest.js';
import { formatPath, shown } from './path.js';
import { isObject, type JsonValue, type KeyLists } from './values.js';

/** Values looked at. */
const MOST_VALUES = 300;

/** Returns the path of the list that was probably meant by a split that leads to none, or null if there is no list of objects. */
export function nearestList(payload: JsonValue, keys: readonly string[], lists: KeyLists): string | null {
  const steps = nearestSteps(payload, keys, lists);
  const near = steps && placeOf(payload, steps.map(String));
  if (steps && Array.isArray(near?.value)) return shown(formatPath('webhook', steps));
  const start = placeOf(payload, keys) ?? near ?? { value: payload, steps: [] };
  const within = firstList(start.value, lists);
  if (within) return shown(formatPath('webhook', [...start.steps, ...within]));
  const first = firstList(payload, lists);
  return first && shown(formatPath('webhook', first));
}

/** The shallowest list of objects, breadth first. */
function firstList(start: JsonValue, lists: KeyLists): Step[] | null {
  const queue: { value: JsonValue; steps: Step[] }[] = [{ value: start, steps: [] }];
  for (let next = 0; next < queue.length; next++) {
    const { value, steps } = queue[next] as (typeof queue)[number];
    if (Array.isArray(value) && isObject(value[0])) return steps;
    if (!isObject(value)) continue;
    for (const key of lists.of(value).slice(0, Math.max(0, MOST_VALUES - queue.length))) {
      queue.push({ value: value[key] as JsonValue, steps: [...steps, key] });
    }
  }
  return null;
}
