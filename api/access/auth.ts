import {
  type ApiKey,
  findApiKeyByHash,
  hashKeyText,
  isKeyText,
  type Scope,
  touchApiKey,
} from '../../db/access/api-keys.js';
import type { Database } from '../../db/client/connect.js';
import { ShortMemory } from '../http/bounded-cache.js';
import { forbidden, overloaded, unauthorized } from '../http/errors.js';
import { KeyedSemaphore, SemaphoreBusy } from '../limits/keyed-semaphore.js';

/** How long a key from the database is believed, so that a revocation holds on every host within 5 s. */
const BELIEVED_MS = 4_000;
/** How long a key is known to be unknown. A key that another host creates meanwhile works within 5 s. */
const UNKNOWN_MS = 2_000;
/** How long a key that was valid keeps its way past the line of unknown ones. */
const TRUSTED_MS = 60 * 60 * 1_000;
const TOUCH_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Anybody can compute the checksum of a made-up key, and each made-up key costs a query. Two at a time leave the
 * connections to those whose keys are valid.
 */
const STRANGERS = { max: 2, maxWaiting: 50, waitMs: 1_000 };

/** Finds out whose key a request carries. Keys are remembered for a short time, by their hash alone. */
export class Authenticator {
  readonly #database: Database;
  readonly #keys = new ShortMemory<ApiKey>(MAX_REMEMBERED, BELIEVED_MS);
  readonly #unknown = new ShortMemory<true>(MAX_REMEMBERED, UNKNOWN_MS);
  readonly #trusted = new ShortMemory<true>(MAX_REMEMBERED, TRUSTED_MS);
  readonly #strangers = new KeyedSemaphore(STRANGERS);
  /** Queries that are under way; requests with the same key share one. */
  #finding = new Map<string, Promise<ApiKey | null>>();
  readonly #touchedAt = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Returns the key in an `authorization` header.
   * @throws RequestError 401 when the key is not valid now, 503 `overloaded` when too many unknown keys are being checked
   */
  async authenticate(header: string | undefined): Promise<ApiKey> {
    const text = /^ApiKey +(\S+) *$/i.exec(header ?? '')?.[1];
    if (text === undefined) {
      throw unauthorized('missing_api_key', 'Send your API key in the header "authorization: ApiKey <key>".');
    }
    if (!isKeyText(text)) {
      throw unauthorized(
        'malformed_api_key',
        'This is no API key of this service: is it cut off, or mistyped?',
      );
    }
    const apiKey = await this.#find(hashKeyText(text));
    if (!apiKey || !isValid(apiKey)) {
      throw unauthorized('invalid_api_key', 'This API key is unknown, expired or revoked.');
    }
    this.#touch(apiKey);
    return apiKey;
  }

  /** Forgets what is remembered, so that a revocation holds on this host at once. */
  forget(): void {
    this.#keys.clear();
    // Queries under way may have read the key before it was revoked: nobody may join them now, and none is remembered.
    this.#finding = new Map();
  }

  async #find(hash: Buffer): Promise<ApiKey | null> {
    const name = hash.toString('base64');
    const known = this.#keys.get(name);
    if (known) return known;
    if (this.#unknown.has(name)) return null;
    return this.#finding.get(name) ?? this.#startFinding(name, hash);
  }

  #startFinding(name: string, hash: Buffer): Promise<ApiKey | null> {
    const all = this.#finding;
    const finding = this.#query(name, hash)
      .then((apiKey) => {
        if (all === this.#finding) this.#remember(name, apiKey);
        return apiKey;
      })
      .finally(() => all.delete(name));
    all.set(name, finding);
    return finding;
  }

  async #query(name: string, hash: Buffer): Promise<ApiKey | null> {
    const query = () => findApiKeyByHash(this.#database, hash);
    if (this.#trusted.has(name)) return query();
    return this.#strangers.run('', query).catch((error) => {
      throw error instanceof SemaphoreBusy
        ? overloaded('Too many unknown API keys are being checked', 1)
        : error;
    });
  }

  #remember(name: string, apiKey: ApiKey | null): void {
    if (apiKey) this.#keys.set(name, apiKey);
    else this.#unknown.set(name, true);
    if (apiKey && isValid(apiKey)) this.#trusted.set(name, true);
  }

  /** Last-used is for people: to the minute is enough, and it must never fail a request. */
  #touch({ id }: ApiKey): void {
    const now = Date.now();
    if (now - (this.#touchedAt.get(id) ?? 0) < TOUCH_EVERY_MS) return;
    if (this.#touchedAt.size >= MAX_REMEMBERED) this.#touchedAt.clear();
    this.#touchedAt.set(id, now);
    touchApiKey(this.#database, id, new Date(now)).catch(() => this.#touchedAt.delete(id));
  }
}

/** Throws 403 unless the key has one of the scopes. `admin` opens the admin routes and implies no other scope. */
export function requireScope(apiKey: ApiKey, scopes: readonly Scope[]): void {
  if (!hasScope(apiKey, ...scopes)) throw forbidden(scopes);
}

export const hasScope = (apiKey: ApiKey, ...scopes: Scope[]): boolean =>
  scopes.some((scope) => apiKey.scopes.includes(scope));

const isValid = ({ revokedAt, expiresAt }: ApiKey): boolean => revokedAt === null && !isPast(expiresAt);

const isPast = (time: Date | null): boolean => time !== null && time.getTime() <= Date.now();
