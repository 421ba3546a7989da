import { Budget } from '../values/budget.js';
import { isBlank, type JsonValue, type KeyLists } from '../values/json-value.js';
import { placeOf, withinBudget } from '../values/lookup.js';
import { formatPath, formatPayloadPath, type Path, shown } from '../values/path.js';
import { JsonTexts } from './json-texts.js';
import { nearestSteps, type Search, type Step } from './nearest-path.js';

/** Looking for what was meant takes some µs; beyond so many, an event's failing paths are named without it. */
const MAX_EXPLAINED = 100;

/** A path that led to nothing, and the existing one that was probably meant. */
export interface MissingPath {
  path: string;
  nearest: string | null;
  /** The text that the path leads into holds JSON; with this in the mapping's `expandJson` the nearest path can be followed. */
  expandJson?: string | undefined;
}

/** What paths start at: the whole payload, and the item of a split. */
export interface PathRoots {
  webhook: JsonValue;
  item: JsonValue | undefined;
}

/** Says of failing paths what was probably meant; of those in the whole payload once for all alerts. */
export class Explainer {
  readonly #search: Search;
  readonly #texts = new JsonTexts();
  readonly #split: Path | null;
  /** Only a split makes several alerts. */
  readonly #known: Map<string, MissingPath> | null;
  #explained = 0;

  constructor(keys: KeyLists, split: Path | null) {
    this.#search = { lists: keys, budget: new Budget() };
    this.#split = split;
    this.#known = split ? new Map() : null;
  }

  explain(path: Path, roots: PathRoots): MissingPath {
    const known = path.root === 'webhook' ? this.#known?.get(path.text) : undefined;
    if (known) return known;
    this.#explained += 1;
    const missing =
      this.#explained <= MAX_EXPLAINED && path.root !== 'element'
        ? this.#lazily(path, roots.webhook, roots.item)
        : { path: path.text, nearest: null };
    if (path.root === 'webhook') this.#known?.set(path.text, missing);
    return missing;
  }

  /** Looks when asked: nobody asks of a field that has a default, and that look was a quarter of a worker's time. */
  #lazily(path: Path, webhook: JsonValue, item: JsonValue | undefined): MissingPath {
    let hint: Hint | null = null;
    const look = (): Hint => {
      hint ??= withinBudget(() => this.#look(path, webhook, item)) ?? NO_HINT;
      return hint;
    };
    return {
      path: path.text,
      get nearest() {
        return look().nearest;
      },
      get expandJson() {
        return look().expandJson;
      },
    };
  }

  #look(path: Path, webhook: JsonValue, item: JsonValue | undefined): Hint {
    if (path.keys.length === 0) return NO_HINT;
    return (
      this.#inText(path, webhook, item) ?? {
        nearest: shown(this.#nearest(path, webhook, item)),
      }
    );
  }

  /** The path leads into a text that holds JSON: the mapping has to expand it. */
  #inText({ root, keys }: Path, webhook: JsonValue, item: JsonValue | undefined): Hint | null {
    const start = root === 'item' ? item : webhook;
    const found = start === undefined ? null : this.#texts.find(start, keys, this.#search);
    if (!found) return null;
    const list = root === 'item' ? (this.#split?.keys ?? []) : [];
    const nearest = shown(formatPath(root, [...found.text, ...found.inner]));
    const expandJson = shown(formatPayloadPath([...list, ...found.text]));
    return expandJson ? { nearest, expandJson } : null;
  }

  #nearest({ root, keys }: Path, webhook: JsonValue, item: JsonValue | undefined): string | null {
    if (root === 'webhook')
      return this.#inItem(keys, item) ?? this.#ofPayload(nearestSteps(webhook, keys, this.#search));
    const whole = keys.length > 1 ? placeOf(webhook, keys, this.#search.budget)?.steps : undefined;
    if (whole) return formatPath('webhook', whole);
    const within = item === undefined ? null : nearestSteps(item, keys, this.#search);
    return within ? formatPath('item', within) : this.#ofPayload(nearestSteps(webhook, keys, this.#search));
  }

  /** A path that leaves out the list that is split: it is the item's. */
  #inItem(keys: readonly string[], item: JsonValue | undefined): string | null {
    const place = item === undefined ? undefined : placeOf(item, keys, this.#search.budget);
    return place && !isBlank(place.value) ? formatPath('item', place.steps) : null;
  }

  /** What lies in an element of the list that is split belongs to the item. */
  #ofPayload(steps: Step[] | null): string | null {
    if (!steps) return null;
    const split = this.#split?.keys ?? null;
    const isInItem =
      split !== null &&
      typeof steps[split.length] === 'number' &&
      split.every((key, index) => String(steps[index]) === key);
    return isInItem ? formatPath('item', steps.slice(split.length + 1)) : formatPath('webhook', steps);
  }
}

interface Hint {
  nearest: string | null;
  expandJson?: string;
}

const NO_HINT: Hint = { nearest: null };
