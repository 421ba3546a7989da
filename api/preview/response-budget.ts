/** At most so many alerts are shown of one kind. */
const MAX_ALERTS = 100;
/** JSON takes this many characters in a few milliseconds; an alert may have hundreds of thousands. */
const MAX_CHARACTERS = 1_000_000;

/** What an answer has room for: one that took long to write would keep all others waiting. */
export class ResponseBudget {
  #alerts = MAX_ALERTS;
  #characters = MAX_CHARACTERS;

  /** As many of these as there is room for, from the first. */
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
