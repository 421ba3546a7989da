import { nearestPath } from './nearest.js';
import type { Path } from './path.js';
import type { Rendering } from './rendering.js';
import type { MissingPath } from './results.js';
import type { KeyLists } from './values.js';

/** Looking for what was meant takes some µs; beyond so many, an event's failing paths are named without it. */
const MOST_EXPLAINED = 500;

/** Says of failing paths what was probably meant; of those in the whole payload once for all alerts. */
export class Explainer {
  readonly #keys: KeyLists;
  readonly #known = new Map<string, MissingPath>();
  #explained = 0;

  constructor(keys: KeyLists) {
    this.#keys = keys;
  }

  explain(path: Path, rendering: Rendering): MissingPath {
    const known = path.root === 'webhook' ? this.#known.get(path.text) : undefined;
    if (known) return known;
    this.#explained += 1;
    const looked = this.#explained <= MOST_EXPLAINED;
    const nearest = looked ? nearestPath(rendering.rootOf(path), path, this.#keys) : null;
    const missing = { path: path.text, nearest };
    if (path.root === 'webhook') this.#known.set(path.text, missing);
    return missing;
  }
}
