/**
 * What was so from when to when, as far as a client can know: a change takes effect at some time between its request and its response. Times are
 * those of `performance.now()`.
 */
export class Timeline<State> {
  current: State;
  readonly #spans: { state: State; from: number; to: number }[];

  constructor(first: State) {
    this.current = first;
    this.#spans = [{ state: first, from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }];
  }

  /** Notes that a state may have held for some time. */
  mayHaveHeld(state: State, from: number, to: number): void {
    this.#spans.push({ state, from, to });
  }

  /** Notes that this state holds since some time from `from` to now, and no other one does any more. */
  settle(state: State, from: number): void {
    const now = performance.now();
    for (const span of this.#spans) span.to = Math.min(span.to, now);
    this.mayHaveHeld(state, from, Number.POSITIVE_INFINITY);
    this.current = state;
  }

  /** Returns whether a state can have been found between two times. */
  canBeFound(state: State, from: number, to: number): boolean {
    return this.#spans.some((span) => span.state === state && span.from <= to && from <= span.to);
  }
}
