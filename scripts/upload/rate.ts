const windowMs = 10_000;

/** Measures how fast a number grows, over the last ten seconds. */
export class Rate {
  #samples: { at: number; value: number }[] = [];

  /** Records the number at a time in milliseconds. Starts over if it has fallen, because a worker restarted the job. */
  note(at: number, value: number): void {
    const last = this.#samples.at(-1);
    if (last && value < last.value) this.#samples = [];
    this.#samples.push({ at, value });
    while (this.#samples.length > 2 && at - (this.#samples[1]?.at ?? at) > windowMs) this.#samples.shift();
  }

  /** Returns the growth per second, or null while it is unknown. */
  perSecond(): number | null {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at - first.at < 500) return null;
    return ((last.value - first.value) * 1_000) / (last.at - first.at);
  }
}
