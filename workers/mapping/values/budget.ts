/** What the rendering of one field, and of each {@link PORTION} alerts of one event, may cost. Exceeding a limit is an error of its own code. */
export const LIMITS = {
  /** Tokens rendered, path segments followed and list elements visited; each takes about 100 ns. */
  steps: { field: 50_000, event: 200_000 },
  /** Characters written. */
  output: { field: 128 * 1024, event: 4 * 1024 * 1024 },
} as const;

/** Alerts of an event that share a budget. */
export const PORTION = 25;
/** Steps and characters of all alerts of an event: 5,000 alerts may take 8,000 steps each, which the title of one with 50 labels needs. */
const TOTAL = { steps: 40_000_000, output: 16 * 1024 * 1024 } as const;

export type BudgetCode = 'too_many_steps' | 'too_much_output' | 'too_deep';

/** What an exceeded limit says of an expression or a template. */
export const EXCEEDED: Readonly<Record<BudgetCode, string>> = {
  too_many_steps: 'it takes too many steps with this payload',
  too_much_output: 'it writes too much text with this payload',
  too_deep: 'a value that it reads is nested too deeply',
};

/** Stops the rendering of one field. */
export class BudgetExceeded extends Error {
  readonly code: BudgetCode;

  constructor(code: BudgetCode) {
    super(code);
    this.code = code;
  }
}

/** Counts the steps and the output of an event, and stops a field that exceeds its limit. */
export class Budget {
  #steps = 0;
  #output = 0;
  #stepLimit: number = LIMITS.steps.field;
  #outputLimit: number = LIMITS.output.field;
  #stopped: BudgetCode | null = null;
  #portion = 0;
  /** What earlier portions took. */
  #taken = { steps: 0, output: 0 };

  /** Call before each alert. Each portion of alerts has the limits of an event, as long as all of them together do not take too much. */
  startAlert(number: number): void {
    const portion = Math.floor(number / PORTION);
    if (portion === this.#portion) return;
    this.#portion = portion;
    this.#taken.steps += this.#steps;
    this.#taken.output += this.#output;
    this.#steps = this.#taken.steps < TOTAL.steps ? 0 : LIMITS.steps.event;
    this.#output = this.#taken.output < TOTAL.output ? 0 : LIMITS.output.event;
  }

  /** Call before each field. The rest of the event's budget may be less than the limit of a field. */
  startField(): void {
    this.#stepLimit = Math.min(this.#steps + LIMITS.steps.field, LIMITS.steps.event);
    this.#outputLimit = Math.min(this.#output + LIMITS.output.field, LIMITS.output.event);
    this.#stopped = null;
  }

  /** The event's limit that is used up, or null. Checked before each field, because thousands of throws would be slow. */
  get exceeded(): BudgetCode | null {
    if (this.#steps >= LIMITS.steps.event) return 'too_many_steps';
    return this.#output >= LIMITS.output.event ? 'too_much_output' : null;
  }

  /** The limit that stopped the current field, even if an expression ignored the error. */
  get stopped(): BudgetCode | null {
    return this.#stopped;
  }

  /**
   * Call before the work. Work that is too much for the field is not done, so it is not counted either: one long text must not use up
   * the steps of the other fields and alerts.
   * @throws BudgetExceeded
   */
  step(count = 1): void {
    if (this.#stopped !== null || this.#steps + count > this.#stepLimit) this.#stop('too_many_steps');
    this.#steps += count;
  }

  /** @throws BudgetExceeded */
  write(characters: number): void {
    this.#output += characters;
    if (this.#output > this.#outputLimit) this.#stop('too_much_output');
  }

  #stop(code: BudgetCode): never {
    this.#stopped ??= code;
    throw new BudgetExceeded(this.#stopped);
  }
}

/** Returns the result of `work`, or undefined if the budget is exceeded. */
export function withinBudget<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof BudgetExceeded) return undefined;
    throw error;
  }
}
