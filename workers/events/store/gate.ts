/** Runs tasks in the order in which they are queued: shared tasks concurrently, exclusive tasks alone. */
export class Gate {
  #shared = new Set<Promise<unknown>>();
  /** Settles when the last exclusive task is done. */
  #exclusive: Promise<unknown> = Promise.resolve();

  /** Starts the task when all exclusive tasks that were queued before it are done. */
  shared<T>(task: () => Promise<T>): Promise<T> {
    const running = this.#exclusive.then(task);
    const sharing = this.#shared.add(running);
    const leave = () => void sharing.delete(running);
    running.then(leave, leave);
    return running;
  }

  /** Starts the task when all tasks that were queued before it are done. Tasks that are queued later wait for it. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    const before = [this.#exclusive, ...this.#shared];
    this.#shared = new Set();
    const running = Promise.allSettled(before).then(task);
    this.#exclusive = running.catch(() => {});
    return running;
  }
}
