import type { Logger } from 'pino';

const EVERY_MS = 1_000;

interface Tally {
  code: string;
  total: number;
  /** Of them, those that the log does not have yet. */
  untold: number;
}

/**
 * Counts how many events were refused and why, and says so once a second: thousands a second must not become lines. Codes
 * are those of our answers, so they are few.
 */
export class RefusalLog {
  readonly #log: Logger;
  readonly #tallies = new Map<string, Tally>();
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  count(status: number, code: string): void {
    const name = `${status} ${code}`;
    let tally = this.#tallies.get(name);
    if (!tally) {
      tally = { code, total: 0, untold: 0 };
      this.#tallies.set(name, tally);
    }
    tally.total += 1;
    tally.untold += 1;
    this.#timer ??= setTimeout(() => this.#write(), EVERY_MS).unref();
  }

  /** Events refused since the start, by code; a code that goes with two statuses comes twice. */
  totals(): [code: string, events: number][] {
    return [...this.#tallies.values()].map(({ code, total }) => [code, total]);
  }

  #write(): void {
    const untold = [...this.#tallies].filter(([, tally]) => tally.untold > 0);
    const refused = Object.fromEntries(untold.map(([name, tally]) => [name, tally.untold]));
    for (const [, tally] of untold) tally.untold = 0;
    this.#timer = null;
    const ours = Object.keys(refused).some((name) => name.startsWith('5'));
    this.#log[ours ? 'warn' : 'info'](
      { route: 'POST /api/v1/webhook/{webhook_id}', refused },
      'events refused',
    );
  }
}
