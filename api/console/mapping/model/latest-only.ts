/**
 * Does one piece of work at a time, and of what is asked meanwhile only the last: the answers come in the order of the
 * questions, and a quick writer never makes a queue.
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

  ask(input: Input): void {
    this.#next = { input };
    if (!this.#busy) void this.#go();
  }

  async #go(): Promise<void> {
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
