import { parsePayload } from '../payload/parse-payload.js';
import { Budget, withinBudget } from '../values/budget.js';
import { isBlank, type JsonValue, type KeyLists } from '../values/json-value.js';
import { findPlace, type Place } from '../values/lookup.js';
import { formatPath, formatPayloadPath, type Path, type PathRoot, suggestible } from '../values/path.js';
import type { RequestSource } from '../values/request.js';
import { type Hint, LazyMissingPath, type MissingPath, NO_HINT } from './missing-path.js';
import { nearestSteps, type PathStep, type Search } from './nearest-path.js';

/** Paths of one event for which suggestions are searched. A search takes some µs; further paths are reported without one. */
const MAX_EXPLAINED = 100;

/** The values at which paths start: the payload and the item of a split. */
export interface PathRoots {
  webhook: JsonValue;
  item: JsonValue | undefined;
}

/** Suggests what was probably meant by paths that lead to nothing. A path in the payload is explained once for all alerts. */
export class Explainer {
  readonly #search: Search;
  #texts: JsonTexts | null = null;
  readonly #split: Path | null;
  readonly #request: RequestSource;
  /** Null without a split, which alone makes several alerts. */
  readonly #known: Map<string, MissingPath> | null;
  #explained = 0;

  constructor(keys: KeyLists, split: Path | null, request: RequestSource) {
    this.#search = { lists: keys, budget: new Budget(), skipsObjects: true };
    this.#split = split;
    this.#request = request;
    this.#known = split ? new Map() : null;
  }

  explain(path: Path, { webhook, item }: PathRoots): MissingPath {
    const isShared = path.root === 'webhook' || path.root === 'request';
    const known = isShared ? this.#known?.get(path.text) : undefined;
    if (known) return known;
    this.#explained += 1;
    const missing =
      this.#explained <= MAX_EXPLAINED && path.root !== 'element' && path.root !== 'lookup'
        ? this.#lazily(path, { webhook, item })
        : { path: path.text, nearest: null };
    if (isShared) this.#known?.set(path.text, missing);
    return missing;
  }

  #lazily(path: Path, roots: PathRoots): MissingPath {
    return new LazyMissingPath(path.text, () => withinBudget(() => this.#hint(path, roots)) ?? NO_HINT);
  }

  #hint(path: Path, roots: PathRoots): Hint {
    if (path.keys.length === 0) return NO_HINT;
    if (path.root === 'request')
      return { nearest: suggestible(this.#nearestToRequest(path.keys, roots.webhook)) };
    return this.#inJsonText(path, roots) ?? { nearest: suggestible(this.#nearest(path, roots)) };
  }

  /** Returns a hint if the path leads into a text that contains JSON, which the mapping has to expand. */
  #inJsonText({ root, keys }: Path, { webhook, item }: PathRoots): Hint | null {
    const start = root === 'item' ? item : webhook;
    this.#texts ??= new JsonTexts();
    const found = start === undefined ? null : this.#texts.find(start, keys, this.#search);
    if (!found) return null;
    const list = root === 'item' ? (this.#split?.keys ?? []) : [];
    const nearest = suggestible(formatPath(root, [...found.text, ...found.inner]));
    const expandJson = suggestible(formatPayloadPath([...list, ...found.text]));
    return expandJson ? { nearest, expandJson } : null;
  }

  #nearest({ root, keys }: Path, { webhook, item }: PathRoots): string | null {
    if (root === 'webhook')
      return (
        this.#exactly('item', item, keys) ??
        this.#exactly('request', this.#request(), keys) ??
        this.#format(nearestSteps(webhook, keys, this.#search))
      );
    const whole = keys.length > 1 ? findPlace(webhook, keys, this.#search.budget)?.steps : undefined;
    if (whole) return formatPath('webhook', whole);
    const within = item === undefined ? null : nearestSteps(item, keys, this.#search);
    return within ? formatPath('item', within) : this.#format(nearestSteps(webhook, keys, this.#search));
  }

  /** Finds a key `request` of the payload, or a similar path of the request. */
  #nearestToRequest(keys: readonly string[], webhook: JsonValue): string | null {
    const own = this.#exactly('webhook', webhook, ['request', ...keys]);
    if (own) return own;
    const request = this.#request();
    const steps = request ? nearestSteps(request, keys, this.#search) : null;
    return steps && formatPath('request', steps);
  }

  /** Finds a path that starts at another root by mistake. */
  #exactly(root: PathRoot, start: JsonValue | undefined, keys: readonly string[]): string | null {
    const place = start === undefined ? undefined : findPlace(start, keys, this.#search.budget);
    return place && !isBlank(place.value) ? formatPath(root, place.steps) : null;
  }

  /** Formats steps in the payload. Steps into an element of the list that is split become a path of the item. */
  #format(steps: PathStep[] | null): string | null {
    if (!steps) return null;
    const split = this.#split?.keys ?? null;
    const isInItem =
      split !== null &&
      typeof steps[split.length] === 'number' &&
      split.every((key, index) => String(steps[index]) === key);
    return isInItem ? formatPath('item', steps.slice(split.length + 1)) : formatPath('webhook', steps);
  }
}

/** Parsing longer texts, or more of them in one event, takes too long for a hint. */
const MAX_LENGTH = 64 * 1024;
const MAX_TEXTS = 5;

/** A path that continues inside a text that contains JSON, such as `Message.AlarmName` of Amazon SNS. */
interface PathInText {
  /** The steps to the text. */
  text: PathStep[];
  /** The steps from there to a value, once the text is expanded. */
  inner: PathStep[];
}

/** Searches the texts of one payload that contain JSON. Parses each of them once. */
class JsonTexts {
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
