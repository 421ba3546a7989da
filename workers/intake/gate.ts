/** Lets work in that may go side by side, and work that must be alone, in the order in which they ask. */
export class Gate {
  #sharing = new Set<Promise<unknown>>();
  /** Settles when the last that asked to be alone is done. */
  #alone: Promise<unknown> = Promise.resolve();

  /** Begins when nobody is alone, or waits to be since before. */
  share<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#alone.then(work);
    const sharing = this.#sharing.add(mine);
    const leave = () => void sharing.delete(mine);
    mine.then(leave, leave);
    return mine;
  }

  /** Begins when all that came before is done; whoever comes later waits for it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const before = [this.#alone, ...this.#sharing];
    this.#sharing = new Set();
    const mine = Promise.allSettled(before).then(work);
    this.#alone = mine.catch(() => {});
    return mine;
  }
}
