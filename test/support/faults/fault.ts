import { appendFileSync } from 'node:fs';

/** What became of the work that was accepted while a fault was provoked. */
export interface Balance {
  acknowledged: number;
  stored: number;
  /** Acknowledged, but not stored, or stored with another content. */
  lost: number;
  /** Stored more than once, or stored without having been sent. */
  doubled: number;
}

/** How often a test may miss what it wants to interrupt. The long form interrupts it 20 times. */
const MOST_MISSES = 200;

type Unit = 'events' | 'alerts' | 'rows' | 'jobs' | 'messages' | 'requests' | 'schema lines' | 'integrations';

/** Counts how often a test provokes a fault and measures its recovery. `report` makes it a row of the table of `npm run test:faults`. */
export class Fault {
  readonly #name: string;
  readonly #unit: Unit | undefined;
  #times = 0;
  #misses = 0;
  readonly #recoveriesMs: number[] = [];
  #longestMs: number | undefined;
  #sum: Balance | undefined;

  /** @param unit what the balance counts, if there is one: a fault may have nothing to do with what is stored */
  constructor(name: string, unit?: Unit) {
    this.#name = name;
    this.#unit = unit;
  }

  /** How often it was provoked until now. */
  get times(): number {
    return this.#times;
  }

  /** Counts one fault without a time of recovery. */
  provoked(): void {
    this.#times += 1;
  }

  /**
   * Counts one fault, and measures how long the service takes from the return of what was gone until `isBack` resolves.
   * The longest time is reported.
   */
  async recovery<T>(isBack: () => Promise<T>): Promise<T> {
    this.provoked();
    const returnedAt = performance.now();
    const result = await isBack();
    this.#recoveriesMs.push(performance.now() - returnedAt);
    return result;
  }

  /** The median of the times that the recoveries took, in milliseconds. */
  get medianRecoveryMs(): number {
    const sorted = this.#recoveriesMs.toSorted((one, other) => one - other);
    return sorted[sorted.length >> 1] ?? 0;
  }

  /**
   * Takes back what was counted last: there was nothing that it could interrupt.
   * @throws Error if that happens too often to be chance
   */
  missed(): void {
    this.#times -= 1;
    this.#misses += 1;
    if (this.#misses > MOST_MISSES)
      throw new Error(`${this.#name}: nothing was interrupted ${this.#misses} times`);
  }

  /** Adds what became of some work to the row. */
  add(balance: Balance): Balance {
    const sum = this.#sum ?? { acknowledged: 0, stored: 0, lost: 0, doubled: 0 };
    for (const count of Object.keys(sum) as (keyof Balance)[]) sum[count] += balance[count];
    this.#sum = sum;
    return balance;
  }

  /** Measures how long a request waits for its response. The longest time is reported. */
  async response<T>(request: Promise<T>): Promise<T> {
    const startedAt = performance.now();
    const result = await request;
    this.waited(performance.now() - startedAt);
    return result;
  }

  /** Counts the time that a request has waited for its response. */
  waited(ms: number): void {
    this.#longestMs = Math.max(this.#longestMs ?? 0, ms);
  }

  report(): void {
    const file = process.env.FAULT_FIGURES;
    if (!file) return;
    const recoverySeconds =
      this.#recoveriesMs.length > 0 ? Math.max(...this.#recoveriesMs) / 1_000 : undefined;
    const row = { fault: this.#name, times: this.#times, unit: this.#unit, ...this.#sum };
    const times = { longestMs: this.#longestMs, recoverySeconds };
    appendFileSync(file, `${JSON.stringify({ ...row, ...times })}\n`);
  }
}

/** Compares what must be there with what is there, each as distinct lines. */
export function balanceOf(expected: readonly string[], found: readonly string[]): Balance {
  const [wanted, present] = [new Set(expected), new Set(found)];
  const lost = expected.filter((line) => !present.has(line)).length;
  const right = [...present].filter((line) => wanted.has(line)).length;
  return { acknowledged: expected.length, stored: found.length, lost, doubled: found.length - right };
}

/** The same for numbers of rows, of a table whose content is checked in another way. */
export function balanceOfCounts(expected: number, found: number): Balance {
  const [lost, doubled] = [Math.max(0, expected - found), Math.max(0, found - expected)];
  return { acknowledged: expected, stored: found, lost, doubled };
}
