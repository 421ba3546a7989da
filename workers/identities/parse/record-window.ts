const QUOTE = 0x22;

/** The bytes that the open record may consist of: the piece at hand, and what of earlier ones is still needed. */
export class RecordWindow {
  /** Whether there is a quote in it. */
  quoted = false;
  /** Offset behind its last byte. */
  end = 0;
  #pieces: Buffer[] = [];
  #start = 0;

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.end += piece.length;
    this.quoted ||= piece.includes(QUOTE);
  }

  /** Lets go of what stands before an offset, piece-wise at first: the last piece is cut, earlier ones dropped. */
  release(before: number): void {
    const last = this.#pieces.at(-1);
    if (last === undefined || before < this.end - last.length) return;
    const rest = last.subarray(last.length - (this.end - before));
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#start = before;
    this.quoted = rest.includes(QUOTE);
  }

  /** Forgets all bytes and goes on at an offset. */
  restart(at: number): void {
    this.#pieces = [];
    this.#start = at;
    this.end = at;
    this.quoted = false;
  }

  /** @returns the bytes between two offsets, without a copy if they stand in the last piece */
  bytes(from: number, to: number): Buffer {
    const last = this.#pieces.at(-1) ?? Buffer.alloc(0);
    const lastStart = this.end - last.length;
    if (from >= lastStart) return last.subarray(from - lastStart, to - lastStart);
    return Buffer.concat(this.#pieces).subarray(from - this.#start, to - this.#start);
  }
}
