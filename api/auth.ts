import {
  type ApiKey,
  findApiKeyByHash,
  hashKeyText,
  isKeyText,
  type Scope,
  touchApiKey,
} from '../db/api-keys.js';
import type { Database } from '../db/connect.js';
import { forbidden, unauthorized } from './errors.js';

/** How long a looked-up key is believed, so that a revocation holds on every host within 5 s. */
const BELIEVED_MS = 4_000;
const TOUCH_EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface Remembered {
  apiKey: ApiKey;
  until: number;
}

/** Tells whose key a request carries. Keys are remembered for some seconds, by their hash alone. */
export class Authenticator {
  readonly #database: Database;
  readonly #remembered = new Map<string, Remembered>();
  readonly #touchedAt = new Map<string, number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The key in an `authorization` header. Throws 401 when there is none that is valid now. */
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
    if (!apiKey || apiKey.revokedAt || isPast(apiKey.expiresAt)) {
      throw unauthorized('invalid_api_key', 'This API key is unknown, expired or revoked.');
    }
    this.#touch(apiKey);
    return apiKey;
  }

  /** Forgets what is remembered, so that this host knows of a revocation at once. */
  forget(): void {
    this.#remembered.clear();
  }

  async #find(hash: Buffer): Promise<ApiKey | null> {
    const name = hash.toString('base64');
    const known = this.#remembered.get(name);
    if (known && known.until > Date.now()) return known.apiKey;
    const apiKey = await findApiKeyByHash(this.#database, hash);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    if (apiKey) this.#remembered.set(name, { apiKey, until: Date.now() + BELIEVED_MS });
    else this.#remembered.delete(name);
    return apiKey;
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

const isPast = (time: Date | null): boolean => time !== null && time.getTime() <= Date.now();
