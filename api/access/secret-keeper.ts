import type { Logger } from 'pino';
import { replaceSealed, sealedSecrets } from '../../db/access/sealed-secrets.js';
import type { Database } from '../../db/client/connect.js';
import { describeError } from '../../workers/process/describe-error.js';
import type { SealedState, SecretBox } from '../../workers/process/secret-box.js';
import { checkSecretKey, WrongSecretKey } from './secret-check.js';

const RETRY_MS = 5_000;
const RESEAL_EVERY_MS = 60 * 60 * 1_000;

/** Checks `SECRET_KEY` at start. Re-encrypts the secrets of the old key with the current key, at start and every hour. */
export class SecretKeeper {
  /** The number of secrets in each state after the last run. */
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
   * Checks the key. If the database is unavailable, this resolves without a check, and checks when the database is back.
   * @param onWrongKey called if such a later check fails
   * @throws WrongSecretKey
   */
  async start(onWrongKey: (error: WrongSecretKey) => void): Promise<void> {
    try {
      await checkSecretKey(this.#database, this.#box);
    } catch (error) {
      if (error instanceof WrongSecretKey) throw error;
      this.#log.warn({ error: describeError(error) }, 'cannot check SECRET_KEY yet; retrying');
      this.#after(RETRY_MS, () => this.start(onWrongKey).catch(onWrongKey));
      return;
    }
    // Not awaited: re-encrypting many secrets must not delay the start.
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
      this.#log.warn({ error: describeError(error) }, 'cannot re-encrypt secrets; retrying in an hour');
    }
    this.#after(RESEAL_EVERY_MS, () => this.#reseal());
  }

  #after(ms: number, work: () => Promise<void>): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void work(), ms).unref();
  }
}

/** The number of secrets in each state. */
type SealedCounts = Record<SealedState, number>;

/**
 * Re-encrypts every secret of the old key with the current key, so that the old key can be removed. Includes secrets
 * without a key id. Returns the number of secrets in each state afterwards. Several hosts may run this at the same time.
 */
export async function resealSecrets(database: Database, box: SecretBox): Promise<SealedCounts> {
  const counts: SealedCounts = { current: 0, old: 0, unreadable: 0 };
  for await (const batch of sealedSecrets(database)) {
    for (const secret of batch) {
      const { sealed, owner } = secret;
      const text = box.open(sealed, owner);
      const state = box.stateOf(sealed, owner);
      if (state !== 'old' || text === null) counts[state] += 1;
      else if (await replaceSealed(database, secret, box.seal(text, owner))) counts.current += 1;
      // Another host has just replaced it. The next run counts it by its key.
      else counts.old += 1;
    }
  }
  return counts;
}
