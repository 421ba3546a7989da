/** The time of a request is over before its next statement started. */
export class DeadlineExceeded extends Error {
  override name = 'DeadlineExceeded';

  constructor() {
    super('the deadline passed before the next statement');
  }
}

/** The time that all statements of a request may take together. Each gets what is left. */
export class Deadline {
  readonly #at: number;

  constructor(withinMs: number) {
    this.#at = performance.now() + withinMs;
  }

  /**
   * Returns the time that is left in milliseconds, at least 1, because the server takes 0 as no limit.
   * @throws DeadlineExceeded if none is left
   */
  leftMs(): number {
    const left = Math.floor(this.#at - performance.now());
    if (left < 1) throw new DeadlineExceeded();
    return left;
  }
}
