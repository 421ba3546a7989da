import { LRUCache } from 'lru-cache';
import { compileAccess } from '../../db/access/access.js';
import {
  type ApiKey,
  findApiKeyByHash,
  hashKeyText,
  isKeyText,
  type Scope,
  touchApiKey,
} from '../../db/access/api-keys.js';
import {
  findUploadLinkByText,
  isLinkText,
  type LinkState,
  startsAsLink,
  type UploadLink,
} from '../../db/access/upload-links.js';
import type { Database } from '../../db/client/connect.js';
import { forbidden, overloaded, unauthorized } from '../http/errors.js';
import { KeyedSemaphore, SemaphoreBusy } from '../limits/keyed-semaphore.js';

/** How long a key from the database is cached. A revocation takes effect on every host within 5 s. */
const VALID_CACHE_MS = 4_000;
/** How long an unknown key is cached. A key that another host creates works within 5 s. */
const UNKNOWN_CACHE_MS = 2_000;
/** How long a key that was valid is exempt from the limit on queries for unknown keys. */
const TRUST_MS = 60 * 60 * 1_000;
const TOUCH_INTERVAL_MS = 60_000;
const MAX_CACHED = 10_000;

/**
 * Anyone can compute the checksum of an invented key, and each invented key costs a query. Two at a time leave the
 * connections to requests with valid keys.
 */
const UNKNOWN_KEY_QUERIES = { max: 2, maxWaiting: 50, waitMs: 1_000 };

/** Who sends a request. */
export interface Principal {
  kind: 'key' | 'link' | 'person';
  /** The id of the key, the link or the person. */
  id: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  apiKey?: ApiKey;
  uploadLink?: UploadLink;
}

/** Authenticates requests by API key or upload link. Keys are cached for a short time, by their hash only. */
export class Authenticator {
  readonly #database: Database;
  readonly #clock: { now(): number };
  readonly #keys = new LRUCache<string, ApiKey>({ max: MAX_CACHED, ttl: VALID_CACHE_MS });
  readonly #unknown = new LRUCache<string, true>({ max: MAX_CACHED, ttl: UNKNOWN_CACHE_MS });
  readonly #trusted = new LRUCache<string, true>({ max: MAX_CACHED, ttl: TRUST_MS });
  readonly #unknownQueries = new KeyedSemaphore(UNKNOWN_KEY_QUERIES);
  /** Queries in progress. Requests with the same key share one. */
  #finding = new Map<string, Promise<ApiKey | null>>();
  readonly #touched = new LRUCache<string, true>({ max: MAX_CACHED, ttl: TOUCH_INTERVAL_MS });

  /** @param clock decides which keys have expired */
  constructor(database: Database, clock: { now(): number }) {
    this.#database = database;
    this.#clock = clock;
  }

  /**
   * Returns the key or the upload link in an `authorization` header.
   * @throws RequestError 401 if it is missing or invalid, 503 `overloaded` if too many unknown keys are being checked
   */
  async authenticate(header: string | undefined): Promise<Principal> {
    const text = /^(?:ApiKey|Bearer) +(\S+) *$/i.exec(header ?? '')?.[1];
    if (text === undefined) {
      throw unauthorized(
        'missing_api_key',
        'The API key is missing. Send it in the header "authorization: ApiKey <key>", or as a Bearer token.',
      );
    }
    if (startsAsLink(text)) return this.#authenticateLink(text);
    if (!isKeyText(text)) {
      throw unauthorized(
        'malformed_api_key',
        'Malformed API key. Check that it is complete and typed correctly.',
      );
    }
    const apiKey = await this.#find(hashKeyText(text));
    if (!apiKey || !this.#isValid(apiKey)) {
      throw unauthorized('invalid_api_key', 'This API key is unknown, expired or revoked. Use a valid key.');
    }
    this.#touch(apiKey);
    return keyPrincipal(apiKey);
  }

  /** Clears the cache, so that a revocation takes effect on this host immediately. */
  forget(): void {
    this.#keys.clear();
    // Queries in progress may have read the key before it was revoked, so their results are neither shared nor cached.
    this.#finding = new Map();
  }

  /** Links are not cached, so a revoked link ends at once on every host. */
  async #authenticateLink(text: string): Promise<Principal> {
    if (!isLinkText(text)) throw invalidLink();
    const name = hashKeyText(text).toString('base64');
    const link = this.#unknown.has(name)
      ? null
      : await this.#limited(name, () => findUploadLinkByText(this.#database, text));
    if (!link) {
      this.#unknown.set(name, true);
      throw invalidLink();
    }
    this.#trusted.set(name, true);
    const ended = LINK_ENDS[link.state];
    if (ended) throw unauthorized(`upload_link_${link.state}`, ended);
    return linkPrincipal(link);
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
        if (all === this.#finding) this.#cache(name, apiKey);
        return apiKey;
      })
      .finally(() => all.delete(name));
    all.set(name, finding);
    return finding;
  }

  async #query(name: string, hash: Buffer): Promise<ApiKey | null> {
    const apiKey = await this.#limited(name, () => findApiKeyByHash(this.#database, hash));
    if (!apiKey) return null;
    const { id, scopes } = apiKey;
    const access = await compileAccess(this.#database, [{ kind: 'key', id }], { scopes });
    return Object.assign(apiKey, { scopes: [...access.keys()] });
  }

  /** Runs a query for a secret. Those that were never valid wait for each other. */
  async #limited<Found>(name: string, query: () => Promise<Found>): Promise<Found> {
    if (this.#trusted.has(name)) return query();
    return this.#unknownQueries.run('', query).catch((error) => {
      throw error instanceof SemaphoreBusy
        ? overloaded('Too many unknown API keys are being checked', 1)
        : error;
    });
  }

  #cache(name: string, apiKey: ApiKey | null): void {
    if (apiKey) this.#keys.set(name, apiKey);
    else this.#unknown.set(name, true);
    if (apiKey && this.#isValid(apiKey)) this.#trusted.set(name, true);
  }

  #isValid({ revokedAt, expiresAt }: ApiKey): boolean {
    return revokedAt === null && (expiresAt === null || expiresAt.getTime() > this.#clock.now());
  }

  /** Records when a key was last used, for people: to the minute, and without failing a request. */
  #touch({ id }: ApiKey): void {
    if (this.#touched.has(id)) return;
    this.#touched.set(id, true);
    touchApiKey(this.#database, id, new Date(this.#clock.now())).catch(() => this.#touched.delete(id));
  }
}

const invalidLink = () =>
  unauthorized('invalid_upload_link', 'This upload link is unknown or incomplete. Copy the complete link.');

const LINK_ENDS: Partial<Record<LinkState, string>> = {
  expired: 'This upload link has expired. Ask for a new one.',
  revoked: 'This upload link was revoked. Ask for a new one.',
};

const keyPrincipal = (apiKey: ApiKey): Principal => ({
  kind: 'key',
  id: apiKey.id,
  name: apiKey.name,
  scopes: apiKey.scopes,
  expiresAt: apiKey.expiresAt,
  apiKey,
});

/** A link has no scope, so every route is closed to it that `upload-link-rights.ts` does not open. */
const linkPrincipal = (uploadLink: UploadLink): Principal => ({
  kind: 'link',
  id: uploadLink.id,
  name: uploadLink.name,
  scopes: [],
  expiresAt: uploadLink.expiresAt,
  uploadLink,
});

/** What has scopes: a principal, or an API key. */
type Scoped = Pick<Principal, 'scopes'>;

/**
 * Checks that a principal has one of the scopes. `admin` opens the admin routes and implies no other scope.
 * @throws RequestError 403
 */
export function requireScope(principal: Scoped, scopes: readonly Scope[]): void {
  if (!hasScope(principal, ...scopes)) throw forbidden(scopes);
}

export const hasScope = (principal: Scoped, ...scopes: Scope[]): boolean =>
  scopes.some((scope) => principal.scopes.includes(scope));
