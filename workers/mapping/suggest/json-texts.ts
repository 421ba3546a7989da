import { parsePayload } from '../payload/parse-payload.js';
import type { JsonValue } from '../values/json-value.js';
import { findPlace, type Place } from '../values/lookup.js';
import { nearestSteps, type PathStep, type Search } from './nearest-path.js';

/** Parsing longer texts, or more of them in one event, takes too long for a hint. */
const MAX_LENGTH = 64 * 1024;
const MAX_TEXTS = 5;

/** A path that continues inside a text that contains JSON, such as `Message.AlarmName` of Amazon SNS. */
export interface PathInText {
  /** The steps to the text. */
  text: PathStep[];
  /** The steps from there to a value, once the text is expanded. */
  inner: PathStep[];
}

/** Searches the texts of one payload that contain JSON. Parses each of them once. */
export class JsonTexts {
  readonly #parsed = new Map<string, JsonValue | null>();

  /** Returns the text in which a path continues, or null if it leads into no such text. */
  find(root: JsonValue, keys: readonly string[], search: Search): PathInText | null {
    for (let count = keys.length - 1; count > 0; count--) {
      const place = nearPlace(root, keys.slice(0, count), search);
      const inner = typeof place?.value === 'string' ? this.#parse(place.value) : null;
      if (!place || inner === null) continue;
      const rest = keys.slice(count);
      const steps = findPlace(inner, rest, search.budget)?.steps ?? nearestSteps(inner, rest, search);
      if (steps) return { text: place.steps, inner: steps };
    }
    return null;
  }

  #parse(text: string): JsonValue | null {
    if (text.length > MAX_LENGTH || !/^\s*[[{]/.test(text)) return null;
    const known = this.#parsed.get(text);
    if (known !== undefined) return known;
    if (this.#parsed.size >= MAX_TEXTS) return null;
    const parsed = parsePayload(text);
    const value = 'value' in parsed ? parsed.value : null;
    this.#parsed.set(text, value);
    return value;
  }
}

/** Returns the place that a path leads to, or else the one that was probably meant. */
function nearPlace(root: JsonValue, keys: readonly string[], search: Search): Place | undefined {
  const exact = findPlace(root, keys, search.budget);
  const near = exact ? null : nearestSteps(root, keys, search);
  return exact ?? (near ? findPlace(root, near.map(String), search.budget) : undefined);
}
