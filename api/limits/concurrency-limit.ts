/** Thrown when there was no turn in time, or the line was full. */
export class NoTurn extends Error {
  override name = 'NoTurn';
}

interface Line {
  running: number;
  /** Functions that start the waiting work, in order of arrival. */
  waiting: Set<() => void>;
}

export interface ConcurrencyOptions {
  /** How many pieces of work of one owner may run at the same time. */
  max: number;
  /** How many more of one owner may wait for their turn. */
  maxWaiting: number;
  /** How long each waits, in milliseconds. */
  waitMs: number;
}

/** Limits how many pieces of work each owner has running. Further ones wait in line, in order of arrival. */
export class ConcurrencyLimit {
  readonly #options: ConcurrencyOptions;
  readonly #lines = new Map<string, Line>();

  constructor(options: ConcurrencyOptions) {
    this.#options = options;
  }

  /**
   * Does the work when it is its turn.
   * @throws NoTurn when the line is full or the turn does not come in time; the work was not started
   */
  async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(owner) ?? { running: 0, waiting: new Set() };
    this.#lines.set(owner, line);
    if (line.running < this.#options.max) line.running += 1;
    else await this.#turn(line);
    try {
      return await work();
    } finally {
      this.#leave(owner, line);
    }
  }

  #turn({ waiting }: Line): Promise<void> {
    const { maxWaiting, waitMs } = this.#options;
    if (waiting.size >= maxWaiting) return Promise.reject(new NoTurn('the line is full'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(new NoTurn('the turn did not come in time'));
      }, waitMs);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.add(start);
    });
  }

  /** Hands the place to the next in line; an owner with nothing to do takes no memory. */
  #leave(owner: string, line: Line): void {
    const [next] = line.waiting;
    if (next) {
      line.waiting.delete(next);
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.#lines.delete(owner);
  }
}
