import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import { errorCode } from '../../db/client/errors.js';
import {
  addSenders,
  MAX_SENDERS,
  REST,
  type SenderForm,
  type TokenSender,
} from '../../db/webhooks/senders.js';
import type { ClockWatch } from '../../workers/clocks/clock-watch.js';
import { HIDDEN, hashToken, TOKENS } from './token.js';

const FLUSH_INTERVAL_MS = 60_000;
const HOST = /^[a-z0-9._-]{1,100}/;
const MAX_TEXT = 200;

const startOf = (text = ''): string => (text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : text);

type Count = SenderForm & { firstAt: number; lastAt: number; requests: number };

/**
 * Counts what sends to each token, for people who want to know whether anything still uses an old one: in memory, and once a minute in the
 * database. A host that is killed loses its last minute.
 */
export class SenderCounts {
  readonly #database: Database;
  readonly #clock: Pick<ClockWatch, 'now'>;
  readonly #log: Logger;
  /** By the hash of the token, which is one object for all requests. */
  #counts = new Map<Buffer, Count[]>();
  #flushing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(database: Database, clock: Pick<ClockWatch, 'now'>, log: Logger) {
    this.#database = database;
    this.#clock = clock;
    this.#log = log;
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), FLUSH_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.flush();
  }

  /** Counts a request with a token that is known. */
  count(
    { tokenHash }: { tokenHash: Buffer },
    { path, atRoot }: { path: string; atRoot: boolean },
    headers: IncomingHttpHeaders,
  ): void {
    const host = startOf(headers.host);
    const userAgent = startOf(headers['user-agent']);
    const now = this.#clock.now();
    const senders = this.#counts.get(tokenHash);
    // A token has few senders: comparing them takes less than making a key of their texts.
    const known = senders?.find(
      (one) =>
        one.path === null ||
        (one.userAgent === userAgent && one.host === host && one.path === path && one.atRoot === atRoot),
    );
    if (known) {
      known.lastAt = now;
      known.requests += 1;
      return;
    }
    const times = { firstAt: now, lastAt: now, requests: 1 };
    const isRest = senders !== undefined && senders.length >= MAX_SENDERS;
    const sender = isRest ? { ...REST, ...times } : { path, atRoot, host, userAgent, ...times };
    if (senders) senders.push(sender);
    else this.#counts.set(tokenHash, [sender]);
  }

  /** Adds the counts in memory to those in the database. Never rejects: counts that cannot be added are dropped. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flush(): Promise<void> {
    const counts = this.#counts;
    this.#counts = new Map();
    if (counts.size === 0) return;
    const senders: TokenSender[] = [];
    for (const [tokenHash, counted] of counts)
      for (const { firstAt, lastAt, host, userAgent, ...rest } of counted) {
        const shown = (text: string) => withoutTokenOf(tokenHash, text);
        const texts = { host: hostOf(shown(host)), userAgent: shown(userAgent).trim() };
        senders.push({ tokenHash, ...rest, ...texts, firstAt: new Date(firstAt), lastAt: new Date(lastAt) });
      }
    await addSenders(this.#database, senders).catch((error) => {
      this.#log.debug({ error: { code: errorCode(error) } }, 'could not store what sends to webhooks');
    });
  }
}

/** Returns a text without the token that has a hash: some programs put the address that they send to into their User-Agent. */
const withoutTokenOf = (tokenHash: Buffer, text: string): string =>
  text.replace(TOKENS, (token) => (hashToken(token).equals(tokenHash) ? HIDDEN : token));

/** Returns the name of a host without its port; empty if it is none. */
const hostOf = (host: string): string => HOST.exec(host.toLowerCase())?.[0] ?? '';
