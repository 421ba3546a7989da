import { nearestPath } from './nearest.js';
import type { Path } from './path.js';
import type { Rendering } from './rendering.js';
import type { MissingPath } from './results.js';
import type { JsonValue, KeyLists } from './values.js';

/** Looking for what was meant takes some µs; beyond so many, an event's failing paths are named without it. */
const MOST_EXPLAINED = 500;

/** Says of failing paths what was probably meant; of those in the whole payload once for all alerts. */
export class Explainer {
  readonly #keys: KeyLists;
  /** Only a split makes several alerts. */
  readonly #known: Map<string, MissingPath> | null;
  #explained = 0;

  constructor(keys: KeyLists, split: boolean) {
    this.#keys = keys;
    this.#known = split ? new Map() : null;
  }

  explain(path: Path, rendering: Rendering): MissingPath {
    const known = path.root === 'webhook' ? this.#known?.get(path.text) : undefined;
    if (known) return known;
    this.#explained += 1;
    const looked = this.#explained <= MOST_EXPLAINED;
    const missing = looked
      ? explained(path, rendering.rootOf(path), this.#keys)
      : { path: path.text, nearest: null };
    if (path.root === 'webhook') this.#known?.set(path.text, missing);
    return missing;
  }
}

/** Looks when asked: nobody asks of a field that has a default, and that look was a quarter of a worker's time. */
function explained(path: Path, root: JsonValue | undefined, keys: KeyLists): MissingPath {
  let nearest: string | null | undefined;
  return {
    path: path.text,
    get nearest() {
      if (nearest === undefined) nearest = shown(nearestPath(root, path, keys));
      return nearest;
    },
  };
}

/** A path of a key that somebody made endless helps nobody, and a fault has to fit its column. */
const LONGEST_SHOWN = 300;
const shown = (path: string | null): string | null =>
  path !== null && path.length <= LONGEST_SHOWN ? path : null;
