import { parsePayload } from '../payload/parse-payload.js';
import type { JsonValue } from '../values/json-value.js';
import { type Place, placeOf } from '../values/lookup.js';
import { nearestSteps, type Search, type Step } from './nearest-path.js';

/** Longer texts, and more of them in one event, take too long to be parsed for a hint. */
const LONGEST_TEXT = 64 * 1024;
const MAX_TEXTS = 5;

/** A path that goes on inside a text that holds JSON: `Message.AlarmName` of Amazon SNS. */
export interface InsideText {
  /** The steps to the text. */
  text: Step[];
  /** The steps from there to a value, once the text is expanded. */
  inner: Step[];
}

/** Looks into the texts of one payload that hold JSON. Each is parsed once. */
export class JsonTexts {
  readonly #parsed = new Map<string, JsonValue | null>();

  /** Returns the text in which a path goes on, or null if the path leads into no such text. */
  find(root: JsonValue, keys: readonly string[], search: Search): InsideText | null {
    for (let count = keys.length - 1; count > 0; count--) {
      const place = nearPlace(root, keys.slice(0, count), search);
      const inner = typeof place?.value === 'string' ? this.#parse(place.value) : null;
      if (!place || inner === null) continue;
      const rest = keys.slice(count);
      const steps = placeOf(inner, rest, search.budget)?.steps ?? nearestSteps(inner, rest, search);
      if (steps) return { text: place.steps, inner: steps };
    }
    return null;
  }

  #parse(text: string): JsonValue | null {
    if (text.length > LONGEST_TEXT || !/^\s*[[{]/.test(text)) return null;
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    if (this.#parsed.size >= MAX_TEXTS) return null;
    const parsed = parsePayload(text);
    const value = 'value' in parsed ? parsed.value : null;
    this.#parsed.set(text, value);
    return value;
  }
}

/** The place that a path leads to, or else the one that was probably meant. */
function nearPlace(root: JsonValue, keys: readonly string[], search: Search): Place | undefined {
  const exact = placeOf(root, keys, search.budget);
  const near = exact ? null : nearestSteps(root, keys, search);
  return exact ?? (near ? placeOf(root, near.map(String), search.budget) : undefined);
}
