/** Bytes of the hash of a key. */
const HASH = 16;

/** The keys of an upload by their hashes, and the line of each. A million takes 40 MB, and at most twice as much while it grows. */
export class KeyLines {
  count = 0;
  #slots = 1_024;
  #hashes = Buffer.alloc(this.#slots * HASH);
  /** The line of each slot plus 1; 0 if the slot is free. */
  #lines = new Uint32Array(this.#slots);

  /** Adds a key. Returns null, or the line of another row if that has the key; then nothing is added. */
  add(hash: Buffer, line: number): number | null {
    const slot = this.#find(hash);
    const taken = this.#lines[slot] ?? 0;
    if (taken > 0) return taken - 1 === line ? null : taken - 1;
    hash.copy(this.#hashes, slot * HASH);
    this.#lines[slot] = line + 1;
    this.count += 1;
    if (this.count * 2 > this.#slots) this.#grow();
    return null;
  }

  has(hash: Buffer): boolean {
    return this.#lines[this.#find(hash)] !== 0;
  }

  /** Returns the slot of a hash, or the free one where it belongs. Hashes are spread evenly, so their first bytes are the place. */
  #find(hash: Buffer): number {
    const mask = this.#slots - 1;
    let slot = hash.readUInt32LE(0) & mask;
    while (this.#lines[slot] !== 0 && hash.compare(this.#hashes, slot * HASH, (slot + 1) * HASH) !== 0)
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [hashes, lines] = [this.#hashes, this.#lines];
    this.#slots *= 2;
    this.#hashes = Buffer.alloc(this.#slots * HASH);
    this.#lines = new Uint32Array(this.#slots);
    lines.forEach((line, at) => {
      if (line === 0) return;
      const hash = hashes.subarray(at * HASH, (at + 1) * HASH);
      const slot = this.#find(hash);
      hash.copy(this.#hashes, slot * HASH);
      this.#lines[slot] = line;
    });
  }
}
