/**
 * Runs one task at a time. Of the inputs that arrive while a task runs, only the last one is processed. Results come in
 * the order of the inputs, and fast typing never builds up a queue.
 */
export class LatestOnly<Input, Output> {
  readonly #work: (input: Input) => Promise<Output>;
  readonly #done: (input: Input, outcome: Outcome<Output>) => void;
  #busy = false;
  #next: { input: Input } | null = null;

  constructor(
    work: (input: Input) => Promise<Output>,
    done: (input: Input, outcome: Outcome<Output>) => void,
  ) {
    this.#work = work;
    this.#done = done;
  }

  run(input: Input): void {
    this.#next = { input };
    if (!this.#busy) void this.#drain();
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#next) {
      const { input } = this.#next;
      this.#next = null;
      const outcome = await this.#work(input).then(
        (value): Outcome<Output> => ({ value }),
        (error: unknown): Outcome<Output> => ({ error }),
      );
      this.#done(input, outcome);
    }
    this.#busy = false;
  }
}

export type Outcome<Output> = { value: Output } | { error: unknown };
