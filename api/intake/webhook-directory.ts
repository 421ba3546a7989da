import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import { errorCode } from '../../db/client/errors.js';
import { heartbeatSeverities } from '../../db/heartbeats/heartbeats.js';
import { findRequestMappings } from '../../db/webhooks/mapping-revisions.js';
import {
  loadTokenRoutes,
  noteRefusal,
  readChangesVersion,
  type TokenRoute,
  touchTokens,
} from '../../db/webhooks/webhook-tokens.js';
import type { Webhook } from '../../db/webhooks/webhooks.js';
import type { ClockWatch } from '../../workers/clocks/clock-watch.js';
import type { SecretBox } from '../../workers/process/secret-box.js';
import { notFound, unavailable } from '../http/errors.js';
import type { SnsCertificates } from '../sns/sns-certificates.js';
import { ReadNames, type RequestNames } from './request/read-names.js';
import { SignatureCheck } from './signature/signature-check.js';
import { hashToken, isToken } from './token.js';

/** Including the time of a load, a change takes effect on every host within 5 s. */
const REFRESH_INTERVAL_MS = 2_000;
/** Unknown tokens trigger a refresh, but no more often than this, however many there are. */
const MIN_REFRESH_INTERVAL_MS = 1_000;
/** A request waits this long for a refresh, so that it gets a response within 2 s even if the database hangs. */
const MAX_WAIT_MS = 1_500;
const TOUCH_INTERVAL_MS = 10_000;
const MAX_REMEMBERED = 50_000;

/** The integration that receives the events sent to a token. */
export interface TokenTarget {
  tokenHash: Buffer;
  expiresAt: number;
  webhook: Webhook;
  /** Null if the integration requires no signature. */
  signature: SignatureCheck | null;
  /** What the mapping reads of a request. */
  reads: RequestNames;
}

interface Dependencies {
  database: Database;
  box: SecretBox;
  certificates: SnsCertificates;
  clock: Pick<ClockWatch, 'now'>;
  log: Logger;
}

/** Finds the integration of a token in memory. A request waits for the database only if its token is new. */
export class WebhookDirectory {
  readonly #database: Database;
  readonly #box: SecretBox;
  readonly #certificates: SnsCertificates;
  readonly #clock: Dependencies['clock'];
  readonly #log: Logger;
  readonly #names = new ReadNames();
  /** The severities of heartbeats, by integration and name. */
  #severities = new Map<string, string>();
  #byHash: Map<string, TokenTarget> | null = null;
  #byToken = new Map<string, TokenTarget>();
  #version = -1;
  #refreshing: Promise<void> | null = null;
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #used = new Set<Buffer>();
  readonly #refused = new Map<Buffer, { at: Date; code: string }>();
  #touchedAt = performance.now();
  #timer: NodeJS.Timeout | null = null;

  constructor({ database, box, certificates, clock, log }: Dependencies) {
    this.#database = database;
    this.#clock = clock;
    this.#box = box;
    this.#certificates = certificates;
    this.#log = log;
  }

  /** Loads all tokens, then polls for changes. Does not wait for the database. */
  start(): void {
    void this.refresh();
    this.#timer = setInterval(() => void this.refresh().then(() => this.#touch()), REFRESH_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#touch(true);
  }

  /** Returns the target of a token that was used before, synchronously. */
  known(token: string): TokenTarget | undefined {
    const target = this.#byToken.get(token);
    return target && target.expiresAt > this.#clock.now() ? this.#markUsed(target) : undefined;
  }

  /**
   * Returns the target of any token. A token that is not in memory may have been created a moment ago on another host, so it
   * triggers a refresh.
   * @throws RequestError the same 404 for unknown, deleted and expired tokens; 503 if the database is unavailable
   */
  async find(token: string): Promise<TokenTarget> {
    return this.#markUsed(await this.#resolve(token));
  }

  /** Returns and throws like `find`, but does not count the URL as used. */
  check(token: string): Promise<TokenTarget> {
    return this.#resolve(token);
  }

  async #resolve(token: string): Promise<TokenTarget> {
    if (!isToken(token)) throw notFound('webhook');
    const hash = hashToken(token).toString('base64');
    const target = this.#byHash?.get(hash) ?? (await this.#refreshAndGet(hash));
    if (!target || target.expiresAt <= this.#clock.now()) throw notFound('webhook');
    if (this.#byToken.size >= MAX_REMEMBERED) this.#byToken.clear();
    this.#byToken.set(token, target);
    return target;
  }

  /** Returns the severity of a heartbeat's alerts; undefined if there is no such heartbeat. */
  severityOf(webhookId: string, name: string): string | undefined {
    return this.#severities.get(`${webhookId} ${name}`);
  }

  /** Loads changes now, or joins a refresh that is in progress. Never throws: a failed refresh changes nothing. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = null;
    });
    return this.#refreshing;
  }

  async #refreshAndGet(hash: string): Promise<TokenTarget | undefined> {
    const askedAt = performance.now();
    const due = this.#refreshedAt + MIN_REFRESH_INTERVAL_MS - askedAt;
    const refreshed = async () => {
      // A refresh that started before this request may have missed its token.
      await this.#refreshing;
      if (due > 0) await sleep(due, undefined, { ref: false });
      if (this.#refreshedAt < askedAt) await this.refresh();
    };
    await Promise.race([refreshed(), sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    if (!this.#byHash || this.#refreshedAt < askedAt) throw unavailable('The list of webhooks');
    return this.#byHash.get(hash);
  }

  async #refresh(): Promise<void> {
    const beganAt = performance.now();
    try {
      const version = await readChangesVersion(this.#database);
      if (version !== this.#version) {
        const routes = await loadTokenRoutes(this.#database);
        await this.#names.load(await findRequestMappings(this.#database));
        const heartbeats = await heartbeatSeverities(this.#database);
        this.#severities = new Map(
          heartbeats.map(({ webhookId, name, severity }) => [`${webhookId} ${name}`, severity]),
        );
        this.#take(routes, version);
      }
      this.#refreshedAt = beganAt;
    } catch (error) {
      const name = error instanceof Error ? error.name : typeof error;
      this.#log.debug({ error: { name, code: errorCode(error) } }, 'could not refresh the list of webhooks');
    }
  }

  #take(routes: readonly TokenRoute[], version: number): void {
    this.#byHash = new Map(
      routes.map((route) => [route.hash.toString('base64'), this.#toTarget(route)] as const),
    );
    this.#byToken = new Map();
    this.#version = version;
  }

  #toTarget({ hash, expiresAt, webhook }: TokenRoute): TokenTarget {
    const isSigned = webhook.signatureScheme !== null;
    return {
      tokenHash: hash,
      expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
      webhook,
      signature: isSigned ? new SignatureCheck(webhook, this.#box, this.#certificates) : null,
      reads: this.#names.of(webhook.id),
    };
  }

  /** Notes that a request to a target was not accepted, and why: the silence of its source is explained by that. */
  refused({ tokenHash }: TokenTarget, code: string): void {
    this.#refused.set(tokenHash, { at: new Date(this.#clock.now()), code });
  }

  #markUsed(target: TokenTarget): TokenTarget {
    this.#used.add(target.tokenHash);
    return target;
  }

  /**
   * Stores when tokens were last used. This is for people, so a precision of seconds is enough, and it must never fail a
   * request.
   */
  async #touch(now = false): Promise<void> {
    if (this.#used.size === 0 || (!now && performance.now() - this.#touchedAt < TOUCH_INTERVAL_MS)) return;
    const used = this.#used;
    this.#used = new Set();
    this.#touchedAt = performance.now();
    await touchTokens(this.#database, [...used], new Date(this.#clock.now())).catch(() => {});
    for (const [hash, refusal] of this.#refused) {
      this.#refused.delete(hash);
      await noteRefusal(this.#database, hash, refusal).catch(() => {});
    }
  }
}
