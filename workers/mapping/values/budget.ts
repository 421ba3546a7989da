/** What the rendering of one field, and of all alerts of one event, may take. Each has a fault of its own. */
export const LIMITS = {
  /** Tokens rendered, path segments followed, list elements looked at; about 100 ns each. */
  steps: { field: 50_000, event: 200_000 },
  /** Characters written. */
  output: { field: 128 * 1024, event: 4 * 1024 * 1024 },
} as const;

export type BudgetCode = 'too_many_steps' | 'too_much_output' | 'too_deep';

/** Ends the rendering of one field. */
export class BudgetSpent extends Error {
  readonly code: BudgetCode;

  constructor(code: BudgetCode) {
    super(code);
    this.code = code;
  }
}

/** Counts what an event takes, and stops a field that takes too much of it. */
export class Budget {
  #steps = 0;
  #output = 0;
  #stepLimit: number = LIMITS.steps.field;
  #outputLimit: number = LIMITS.output.field;

  /** Before each field. What is left of the event's share may be less than a field's. */
  startField(): void {
    this.#stepLimit = Math.min(this.#steps + LIMITS.steps.field, LIMITS.steps.event);
    this.#outputLimit = Math.min(this.#output + LIMITS.output.field, LIMITS.output.event);
  }

  /** What the event has spent to the last; asked before each field, as thousands of throws would take long. */
  get spent(): BudgetCode | null {
    if (this.#steps >= LIMITS.steps.event) return 'too_many_steps';
    return this.#output >= LIMITS.output.event ? 'too_much_output' : null;
  }

  step(count = 1): void {
    this.#steps += count;
    if (this.#steps > this.#stepLimit) throw new BudgetSpent('too_many_steps');
  }

  write(characters: number): void {
    this.#output += characters;
    if (this.#output > this.#outputLimit) throw new BudgetSpent('too_much_output');
  }
}
