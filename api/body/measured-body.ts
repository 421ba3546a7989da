const SPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

/** Measures a body that passes through, without the white space at its end. */
export class MeasuredBody {
  #bytes = 0;
  #space = 0;

  async *through(body: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      let end = chunk.length;
      while (end > 0 && SPACE.has(chunk[end - 1] as number)) end--;
      this.#space = chunk.length - end + (end === 0 ? this.#space : 0);
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  get bytes(): number {
    return this.#bytes - this.#space;
  }
}
