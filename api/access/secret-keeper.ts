import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import { describeError } from '../../workers/process/describe-error.js';
import { resealSecrets, type SealedCounts } from './reseal-secrets.js';
import type { SecretBox } from './secret-box.js';
import { checkSecretKey, WrongSecretKey } from './secret-check.js';

const RETRY_MS = 5_000;
const RESEAL_EVERY_MS = 60 * 60 * 1_000;

/** Checks `SECRET_KEY` at start, then encrypts what the old key encrypted with the current one, at start and every hour. */
export class SecretKeeper {
  /** What the last run found. */
  counts: SealedCounts = { current: 0, old: 0, unreadable: 0 };
  readonly #database: Database;
  readonly #box: SecretBox;
  readonly #log: Logger;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(database: Database, box: SecretBox, log: Logger) {
    this.#database = database;
    this.#box = box;
    this.#log = log;
  }

  /**
   * Resolves once the key is checked. If the database is unavailable, it resolves too, and the check follows when it is back.
   * @param onWrongKey called if a later check finds that the key is wrong
   * @throws WrongSecretKey
   */
  async start(onWrongKey: (error: WrongSecretKey) => void): Promise<void> {
    try {
      await checkSecretKey(this.#database, this.#box);
    } catch (error) {
      if (error instanceof WrongSecretKey) throw error;
      this.#log.warn({ error: describeError(error) }, 'SECRET_KEY was not checked yet');
      this.#after(RETRY_MS, () => this.start(onWrongKey).catch(onWrongKey));
      return;
    }
    // Nobody waits for this: a rotation of many secrets must not delay the start.
    void this.#reseal();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  async #reseal(): Promise<void> {
    try {
      this.counts = await resealSecrets(this.#database, this.#box);
      const { unreadable } = this.counts;
      if (unreadable > 0)
        this.#log.warn({ unreadable }, 'some webhook secrets cannot be decrypted with SECRET_KEY');
    } catch (error) {
      this.#log.warn({ error: describeError(error) }, 'secrets were not re-encrypted');
    }
    this.#after(RESEAL_EVERY_MS, () => this.#reseal());
  }

  #after(ms: number, work: () => Promise<void>): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void work(), ms).unref();
  }
}
