interface Entry<Value> {
  value: Value;
  until: number;
}

/** Remembers values by name for a limited time. When it is full, it forgets the oldest value first. */
export class ShortMemory<Value> {
  readonly #max: number;
  readonly #forMs: number;
  readonly #entries = new Map<string, Entry<Value>>();

  /**
   * @param max how many values are kept
   * @param forMs how long each is kept, in milliseconds
   */
  constructor(max: number, forMs: number) {
    this.#max = max;
    this.#forMs = forMs;
  }

  get(name: string): Value | undefined {
    const entry = this.#entries.get(name);
    return entry && entry.until > Date.now() ? entry.value : undefined;
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, value: Value): void {
    // A map keeps the order of insertion, so the first name is the oldest.
    this.#entries.delete(name);
    if (this.#entries.size >= this.#max) this.#entries.delete(this.#entries.keys().next().value as string);
    this.#entries.set(name, { value, until: Date.now() + this.#forMs });
  }

  clear(): void {
    this.#entries.clear();
  }
}
