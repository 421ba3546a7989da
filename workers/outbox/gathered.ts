import { isDatabaseUnavailable } from '../../db/client/errors.js';

/** Does work in the database together that is asked for at the same time: what comes while some is done is done all at once after it. */
export class Gathered<Input, Output> {
  readonly #work: (inputs: readonly Input[]) => Promise<readonly Output[]>;
  #asked: Asked<Input, Output>[] = [];
  #isWorking = false;

  /** @param work returns what becomes of each, in the same order */
  constructor(work: (inputs: readonly Input[]) => Promise<readonly Output[]>) {
    this.#work = work;
  }

  do(input: Input): Promise<Output> {
    return new Promise((resolve, reject) => {
      this.#asked.push({ input, resolve, reject });
      if (!this.#isWorking) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isWorking = true;
    // What is asked for in the same turn of the event loop belongs together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#asked.length > 0) {
      const asked = this.#asked;
      this.#asked = [];
      await this.#doAll(asked);
    }
    this.#isWorking = false;
  }

  async #doAll(asked: readonly Asked<Input, Output>[]): Promise<void> {
    try {
      const outputs = await this.#work(asked.map(({ input }) => input));
      outputs.forEach((output, index) => void asked[index]?.resolve(output));
    } catch (error) {
      // One that cannot be done must not keep the others from being done.
      if (asked.length > 1 && !isDatabaseUnavailable(error))
        for (const one of asked) await this.#doAll([one]);
      else for (const { reject } of asked) reject(error);
    }
  }
}

interface Asked<Input, Output> {
  input: Input;
  resolve(output: Output): void;
  reject(error: unknown): void;
}
