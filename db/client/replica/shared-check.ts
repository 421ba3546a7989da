/** Runs a check for many callers at once. A caller gets the result of a check that began after its call, so nothing older. */
export class SharedCheck<T> {
  readonly #check: () => Promise<T>;
  #running: Promise<T> | null = null;
  #next: Promise<T> | null = null;

  constructor(check: () => Promise<T>) {
    this.#check = check;
  }

  /** At most one check runs, and one waits for it to end. */
  run(): Promise<T> {
    if (this.#running === null) return this.#start();
    this.#next ??= this.#running.then(
      () => this.#start(),
      () => this.#start(),
    );
    return this.#next;
  }

  #start(): Promise<T> {
    this.#next = null;
    const running = this.#check().finally(() => {
      if (this.#running === running) this.#running = null;
    });
    this.#running = running;
    return running;
  }
}
