import type { Logger } from 'pino';

const EVERY_MS = 1_000;

/** Says how many events were refused and why, once a second: thousands a second must not become lines. */
export class RefusalLog {
  readonly #log: Logger;
  #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  count(status: number, code: string): void {
    const name = `${status} ${code}`;
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.#write(), EVERY_MS).unref();
  }

  #write(): void {
    const refused = Object.fromEntries(this.#counts);
    this.#counts = new Map();
    this.#timer = null;
    const ours = Object.keys(refused).some((name) => name.startsWith('5'));
    this.#log[ours ? 'warn' : 'info'](
      { route: 'POST /api/v1/webhook/{webhook_id}', refused },
      'events refused',
    );
  }
}
