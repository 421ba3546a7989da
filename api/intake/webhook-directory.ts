import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import {
  loadTokenRoutes,
  readChangesVersion,
  type TokenRoute,
  touchTokens,
} from '../../db/webhooks/webhook-tokens.js';
import type { Webhook } from '../../db/webhooks/webhooks.js';
import type { SecretBox } from '../access/secret-box.js';
import { notFound, unavailable } from '../http/errors.js';
import { hashToken, isToken } from './token.js';

/** With this and a load's own time a change holds on every host within 5 s. */
const REFRESH_EVERY_MS = 2_000;
/** Unknown tokens make it look again, but however many come, no more often than this. */
const REFRESH_AT_MOST_EVERY_MS = 1_000;
/** A request that waits for a look is answered within 2 s, also when the database hangs. */
const WAIT_MS = 1_500;
const TOUCH_EVERY_MS = 10_000;
const MAX_REMEMBERED = 50_000;

/** Where events that come under a token go. */
export interface Target {
  tokenHash: Buffer;
  expiresAt: number;
  webhook: Webhook;
  /** In clear; null when the integration asks for no signature, or when it cannot be decrypted. */
  signatureSecret: string | null;
}

/** Tells which integration a token belongs to, from memory: no request waits for the database unless its token is new. */
export class WebhookDirectory {
  readonly #database: Database;
  readonly #box: SecretBox;
  readonly #log: Logger;
  #byHash: Map<string, Target> | null = null;
  #byToken = new Map<string, Target>();
  #version = -1;
  #refreshing: Promise<void> | null = null;
  #refreshedAt = 0;
  #used = new Set<Buffer>();
  #touchedAt = Date.now();
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database, box: SecretBox, log: Logger) {
    this.#database = database;
    this.#box = box;
    this.#log = log;
  }

  /** Loads all tokens and keeps looking for changes. Does not wait for the database. */
  start(): void {
    void this.refresh();
    this.#timer = setInterval(() => void this.refresh().then(() => this.#touch()), REFRESH_EVERY_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#touch(true);
  }

  /** The target of a token that has been met before; at once. */
  known(token: string): Target | undefined {
    const target = this.#byToken.get(token);
    return target && target.expiresAt > Date.now() ? this.#note(target) : undefined;
  }

  /**
   * The target of any token. One that is not in memory may have been made a moment ago on another host, so it makes the
   * directory look again. Throws one and the same 404 for what leads nowhere, 503 while that cannot be known.
   */
  async find(token: string): Promise<Target> {
    return this.#note(await this.#look(token));
  }

  /** Throws as `find` does; the URL does not count as used. */
  async check(token: string): Promise<void> {
    await this.#look(token);
  }

  async #look(token: string): Promise<Target> {
    if (!isToken(token)) throw notFound('webhook');
    const hash = hashToken(token).toString('base64');
    const target = this.#byHash?.get(hash) ?? (await this.#lookAgain(hash));
    if (!target || target.expiresAt <= Date.now()) throw notFound('webhook');
    if (this.#byToken.size >= MAX_REMEMBERED) this.#byToken.clear();
    this.#byToken.set(token, target);
    return target;
  }

  /** Looks for changes now; looks that are under way are shared. Never throws: a failed look changes nothing. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #lookAgain(hash: string): Promise<Target | undefined> {
    const askedAt = Date.now();
    const due = this.#refreshedAt + REFRESH_AT_MOST_EVERY_MS - askedAt;
    const look = async () => {
      // A look that began before this request may have missed its token.
      await this.#refreshing;
      if (due > 0) await sleep(due, undefined, { ref: false });
      if (this.#refreshedAt < askedAt) await this.refresh();
    };
    await Promise.race([look(), sleep(WAIT_MS, undefined, { ref: false })]);
    if (!this.#byHash || this.#refreshedAt < askedAt) throw unavailable('The list of webhooks');
    return this.#byHash.get(hash);
  }

  async #refresh(): Promise<void> {
    const beganAt = Date.now();
    try {
      const version = await readChangesVersion(this.#database);
      if (version !== this.#version) this.#take(await loadTokenRoutes(this.#database), version);
      this.#refreshedAt = beganAt;
    } catch (error) {
      const { name, code } = error as Error & { code?: string };
      this.#log.debug({ error: { name, code } }, 'the list of webhooks was not refreshed');
    }
  }

  #take(routes: readonly TokenRoute[], version: number): void {
    this.#byHash = new Map(
      routes.map((route) => [route.hash.toString('base64'), this.#toTarget(route)] as const),
    );
    this.#byToken = new Map();
    this.#version = version;
  }

  #toTarget({ hash, expiresAt, webhook }: TokenRoute): Target {
    const { signatureSecret: sealed, id } = webhook;
    const signatureSecret = sealed ? this.#box.open(sealed, id) : null;
    return {
      tokenHash: hash,
      expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      webhook,
      signatureSecret,
    };
  }

  #note(target: Target): Target {
    this.#used.add(target.tokenHash);
    return target;
  }

  /** Last-used is for people: to some seconds is enough, and it must never fail a request. */
  async #touch(now = false): Promise<void> {
    if (this.#used.size === 0 || (!now && Date.now() - this.#touchedAt < TOUCH_EVERY_MS)) return;
    const used = this.#used;
    this.#used = new Set();
    this.#touchedAt = Date.now();
    await touchTokens(this.#database, [...used], new Date()).catch(() => {});
  }
}
