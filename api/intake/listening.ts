import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import { noteListening, PROLONG_EVERY_MS } from '../../db/upkeep/listening.js';
import { describeError } from '../../workers/process/describe-error.js';

/** Notes in the database when this API accepts events, so that silence counts only for that time. */
export class Listening {
  readonly #database: Database;
  readonly #accepts: () => boolean;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | null = null;
  #noting: Promise<void> | null = null;
  #failed = false;

  /** @param accepts whether an event that came now would be accepted */
  constructor(database: Database, accepts: () => boolean, log: Logger) {
    this.#database = database;
    this.#accepts = accepts;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => this.#note(), PROLONG_EVERY_MS);
    this.#note();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#noting;
  }

  /** While the database is unavailable, nothing is noted: alerts then expire later, never too early. */
  #note(): void {
    if (this.#noting || !this.#accepts()) return;
    this.#noting = noteListening(this.#database)
      .then(() => {
        this.#failed = false;
      })
      .catch((error) => {
        if (!this.#failed)
          this.#log.warn({ error: describeError(error) }, 'could not note that the intake accepts events');
        this.#failed = true;
      })
      .finally(() => {
        this.#noting = null;
      });
  }
}
