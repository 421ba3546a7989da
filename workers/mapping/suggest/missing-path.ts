/** A path that leads to nothing, and the existing path that was probably meant. */
export interface MissingPath extends Hint {
  readonly path: string;
}

/** What was probably meant by a path. */
export interface Hint {
  readonly nearest: string | null;
  /** The path leads into a text that contains JSON. With this path in the mapping's `expandJson`, `nearest` leads to a value. */
  readonly expandJson?: string | undefined;
}

export const NO_HINT: Hint = { nearest: null };

/**
 * Searches for the hint when a property of it is read. Nobody reads those of a field that has a default, and searching at once took a
 * quarter of a worker's time. A class, because an object literal with two getters took another quarter.
 */
export class LazyMissingPath implements MissingPath {
  readonly path: string;
  readonly #search: () => Hint;
  #hint: Hint | null = null;

  constructor(path: string, search: () => Hint) {
    this.path = path;
    this.#search = search;
  }

  get nearest(): string | null {
    return this.#found.nearest;
  }

  get expandJson(): string | undefined {
    return this.#found.expandJson;
  }

  /** JSON has no getters of a class. */
  toJSON(): MissingPath {
    return { path: this.path, ...this.#found };
  }

  get #found(): Hint {
    this.#hint ??= this.#search();
    return this.#hint;
  }
}

/** Returns what to say after a missing path: the path that was probably meant, or nothing. */
export function hintOf({ nearest, expandJson }: Hint): string {
  if (expandJson) return `; the text at ${expandJson} contains JSON: add "${expandJson}" to expandJson`;
  return nearest ? `; did you mean ${nearest}?` : '';
}
