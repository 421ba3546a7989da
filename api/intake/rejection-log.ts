import type { Logger } from 'pino';

const LOG_INTERVAL_MS = 1_000;

interface Tally {
  code: string;
  total: number;
  /** How many of them are not logged yet. */
  unlogged: number;
}

/**
 * Counts rejected events by reason, and logs the counts once a second: thousands of rejections a second must not become thousands
 * of lines. The reasons are the error codes of responses, so there are few.
 */
export class RejectionLog {
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
      tally = { code, total: 0, unlogged: 0 };
      this.#tallies.set(name, tally);
    }
    tally.total += 1;
    tally.unlogged += 1;
    this.#timer ??= setTimeout(() => this.#write(), LOG_INTERVAL_MS).unref();
  }

  /** Returns the events rejected since the start, by code. A code with two statuses is listed twice. */
  totals(): [code: string, events: number][] {
    return [...this.#tallies.values()].map(({ code, total }) => [code, total]);
  }

  #write(): void {
    const unlogged = [...this.#tallies].filter(([, tally]) => tally.unlogged > 0);
    const rejected = Object.fromEntries(unlogged.map(([name, tally]) => [name, tally.unlogged]));
    for (const [, tally] of unlogged) tally.unlogged = 0;
    this.#timer = null;
    const ours = Object.keys(rejected).some((name) => name.startsWith('5'));
    this.#log[ours ? 'warn' : 'info'](
      { route: 'POST /api/v1/webhook/{webhook_id}', rejected },
      'events rejected',
    );
  }
}
