interface Entry<Value> {
  value: Value;
  until: number;
}

/** A cache with a maximum size and a time to live. When it is full, it removes the oldest value. */
export class ShortMemory<Value> {
  readonly #max: number;
  readonly #forMs: number;
  readonly #entries = new Map<string, Entry<Value>>();

  /**
   * @param max maximum number of values
   * @param forMs time to live of each value, in milliseconds
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
