/** The order in which deflate lists the lengths of code lengths (RFC 1951, 3.2.7). */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1];
const [DYNAMIC, REPEAT_ZEROS, END_OF_BLOCK] = [2, 18, 256];

/** Writes bits from the lowest to the highest, as deflate does. */
class Bits {
  readonly bytes: number[] = [];
  #byte = 0;
  #count = 0;

  put(value: number, bits: number): void {
    for (let i = 0; i < bits; i++) {
      this.#byte |= ((value >> i) & 1) << this.#count++;
      if (this.#count < 8) continue;
      this.bytes.push(this.#byte);
      this.#byte = this.#count = 0;
    }
  }

  end(): Buffer {
    if (this.#count > 0) this.put(0, 8 - this.#count);
    return Buffer.from(this.bytes);
  }
}

/**
 * Returns raw deflate data of blocks without content. Each has a table of its own in 12 bytes, so decoding it takes as long as it can
 * for its length.
 */
export function tableBlocks(bytes: number): Buffer {
  const bits = new Bits();
  const block = (isLast: boolean) => {
    bits.put(isLast ? 1 : 0, 1);
    bits.put(DYNAMIC, 2);
    // 257 literals, one distance, and the lengths of 18 code lengths: two codes of one bit, for 1 and for zeros.
    bits.put(0, 10);
    bits.put(ORDER.length - 4, 4);
    for (const symbol of ORDER) bits.put(symbol === REPEAT_ZEROS || symbol === 1 ? 1 : 0, 3);
    for (const zeros of [138, END_OF_BLOCK - 1 - 138]) {
      bits.put(1, 1);
      bits.put(zeros - 11, 7);
    }
    // The lengths of the last byte, of the end of the block, and of the distance; then the end of the block.
    bits.put(0, 3);
    bits.put(1, 1);
  };
  while (bits.bytes.length < bytes - 20) block(false);
  block(true);
  return bits.end();
}
