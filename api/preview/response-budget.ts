/** Alerts of one kind in a response. */
const MAX_ALERTS = 100;
/** Writing this many characters as JSON takes a few milliseconds. An alert may have hundreds of thousands. */
const MAX_CHARACTERS = 1_000_000;

/** Limits the size of a response: writing a large one would block all other requests. */
export class ResponseBudget {
  #alerts = MAX_ALERTS;
  #characters = MAX_CHARACTERS;

  /** Returns the first alerts that fit into the rest of the budget. */
  fill<Shown>(wanted: readonly Shown[]): Shown[] {
    const shown: Shown[] = [];
    for (const one of wanted.slice(0, this.#alerts)) {
      if (this.#characters <= 0) break;
      this.#characters -= JSON.stringify(one).length;
      this.#alerts -= 1;
      shown.push(one);
    }
    return shown;
  }
}
