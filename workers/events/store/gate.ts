/** Runs work in the order in which it was queued: shared work side by side, exclusive work alone. */
export class Gate {
  #shared = new Set<Promise<unknown>>();
  /** Settles when the last exclusive work is done. */
  #exclusive: Promise<unknown> = Promise.resolve();

  /** Starts when all exclusive work that was queued before is done. */
  shared<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#exclusive.then(work);
    const sharing = this.#shared.add(mine);
    const leave = () => void sharing.delete(mine);
    mine.then(leave, leave);
    return mine;
  }

  /** Starts when all work that was queued before is done; work that is queued later waits for it. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const before = [this.#exclusive, ...this.#shared];
    this.#shared = new Set();
    const mine = Promise.allSettled(before).then(work);
    this.#exclusive = mine.catch(() => {});
    return mine;
  }
}
