import { setTimeout as sleep } from 'node:timers/promises';
import type { AttemptResult, LaneWrite } from '../../db/outbox/lane-write.js';
import type { Delivery } from './delivery.js';
import type { Health } from './health.js';
import type { Hold } from './hold.js';
import { idsOf, type Ready } from './ready-messages.js';
import { beliefAfter, outcomeOf } from './retries.js';
import { type Sent, sendPrepared } from './send.js';

/** Requests to one destination at the same time, each about another key. */
const AT_ONCE = 4;
/** Requests that are noted at once, before they are sent: three times as many as were sent meanwhile. */
const MOST_NOTED = 256;
/** A request that is noted and not sent after so long is given back: the destination may have changed. */
const STALE_MS = 500;
/** Results are written after so long at most, and messages that came meanwhile are found. */
const [RESULTS_MS, LOOK_MS] = [100, 500];
/** With a rate, requests are noted so long before they are sent. */
const RATE_AHEAD_MS = 50;

/** A request that is noted. Until it is sent, it can be given back. */
interface Noted extends Ready {
  notedAt: number;
  /** When the rate of the destination allows it. */
  at: number;
}

type Result = Omit<AttemptResult, 'agoMs'> & Pick<Sent, 'beganAt'>;

/** What requests have found since it was written last. */
export interface Found {
  results: Result[];
  /** Requests that were noted and not sent. */
  unsent: LaneWrite['unsent'][number][];
}

/** The requests of one pass of a lane: those that are noted wait here, and a few are sent at the same time. */
export class Requests {
  readonly #delivery: Delivery;
  readonly #ratePerMinute: number | null;
  readonly #health: Health;
  readonly #hold: Hold;
  readonly #isOpen: () => boolean;
  /** How many are noted at the same time. */
  #most = AT_ONCE;
  /** When the rate of the destination allows the next one. */
  #nextAt = 0;
  /** Noted, and not sent yet. */
  readonly #queue: Noted[] = [];
  readonly #sending = new Set<Promise<void>>();
  /** The keys of messages that are noted, until their results are written. */
  readonly #underWay = new Map<number, string>();
  #found: Found = { results: [], unsent: [] };
  #failure: { error: unknown } | null = null;
  #wake = (): void => {};

  /** @param isOpen whether more may be sent */
  constructor(
    delivery: Delivery,
    {
      ratePerMinute,
      health,
      hold,
      isOpen,
    }: { ratePerMinute: number | null; health: Health; hold: Hold; isOpen: () => boolean },
  ) {
    this.#delivery = delivery;
    this.#ratePerMinute = ratePerMinute;
    this.#health = health;
    this.#hold = hold;
    this.#isOpen = isOpen;
  }

  get isIdle(): boolean {
    return this.#sending.size === 0 && this.#queue.length === 0;
  }

  get underWay(): ReadonlyMap<number, string> {
    return this.#underWay;
  }

  /** How long the rate allows no request, in milliseconds; not above 0 if it does. */
  get rateMs(): number {
    return this.#nextAt - performance.now();
  }

  /** Returns how many may be noted now. */
  wanted(): number {
    if (!this.#isOpen()) return 0;
    if (this.#health.isBroken) return this.#underWay.size === 0 ? 1 : 0;
    const room = this.#most - this.#queue.length;
    if (room < this.#most / 2) return 0;
    if (this.#ratePerMinute === null) return room;
    const aheadMs = RATE_AHEAD_MS - Math.max(0, this.rateMs);
    return aheadMs < 0 ? 0 : Math.min(room, 1 + Math.floor((aheadMs * this.#ratePerMinute) / 60_000));
  }

  /** Has requests sent that were noted. */
  note(ready: readonly Ready[]): void {
    const notedAt = performance.now();
    for (const one of ready) {
      const at = Math.max(notedAt, this.#nextAt);
      if (this.#ratePerMinute !== null) this.#nextAt = at + 60_000 / this.#ratePerMinute;
      this.#queue.push(Object.assign({}, one, { notedAt, at }));
      for (const { message } of [one, ...one.digested])
        this.#underWay.set(message.transitionId, message.keyId);
    }
    const more = Math.min(AT_ONCE - this.#sending.size, this.#queue.length);
    for (let count = 0; count < more; count++) {
      const sending = this.#sendQueued().finally(() => {
        this.#sending.delete(sending);
        this.#wake();
      });
      this.#sending.add(sending);
    }
  }

  /** Returns what was found since the last call. It is under way until {@link written}. */
  take(): Found {
    const found = this.#found;
    this.#found = { results: [], unsent: [] };
    const { length } = found.results;
    this.#most = Math.min(MOST_NOTED, Math.max(AT_ONCE, 3 * length, Math.floor(this.#most * 0.75)));
    return found;
  }

  /** Says that what was found is written. */
  written({ results, unsent }: Found): void {
    const told = results.map(({ transitionId, digested }) => [
      transitionId,
      ...digested.map((other) => other.transitionId),
    ]);
    for (const { transitionId, digested } of unsent) told.push([transitionId, ...digested]);
    for (const id of told.flat()) this.#underWay.delete(id);
  }

  /**
   * Waits until there is a result to write, or something to look for.
   * @param isForRate whether messages may wait for the rate only
   */
  async wait(isForRate: boolean): Promise<void> {
    const rateMs = isForRate ? this.rateMs - RATE_AHEAD_MS : 0;
    const { results } = this.#found;
    const isNow =
      (this.isIdle && rateMs <= 0) || (results.length > 0 && this.#queue.length <= this.#most / 2);
    if (!isNow)
      await new Promise<void>((resolve) => {
        const most = results.length > 0 ? RESULTS_MS : LOOK_MS;
        const timer = setTimeout(resolve, rateMs > 0 ? Math.min(rateMs, most) : most);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
  }

  /** @throws what a request failed with, other than by its receiver */
  check(): void {
    if (this.#failure) throw this.#failure.error;
  }

  /** Waits until all have ended. */
  async end(): Promise<void> {
    await Promise.all(this.#sending);
  }

  async #sendQueued(): Promise<void> {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const waitMs = next.at - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      const isStale = performance.now() - Math.max(next.notedAt, next.at) > STALE_MS;
      if (isStale || !this.#isOpen()) {
        const { message, number, digested } = next;
        this.#found.unsent.push({ transitionId: message.transitionId, number, digested: idsOf(digested) });
        continue;
      }
      try {
        const sent = await sendPrepared(this.#delivery, next.preset, next.prepared, this.#hold.signal);
        // Only now: those before it may have been taken meanwhile.
        this.#found.results.push(this.#resultOf(next, sent));
      } catch (error) {
        // The other worker that may have the lane sends it again.
        if (!this.#hold.isOver) this.#failure ??= { error };
        this.#health.end();
      }
      if (this.#queue.length <= this.#most / 2) this.#wake();
      else if (this.#found.results.length === 1) setTimeout(() => this.#wake(), RESULTS_MS);
    }
  }

  /** Notes what a response says of the destination, and returns what it says of the message. */
  #resultOf({ message, alert, number, isOld, preset, digested }: Ready, sent: Sent): Result {
    const { verdict, beganAt, tookMs, outcome, status, response } = sent;
    this.#delivery.count(preset.name, verdict.outcome, (message.ageMs + tookMs) / 1_000);
    this.#health.learn(verdict);
    const { transitionId } = message;
    const isDelivered = verdict.outcome === 'delivered';
    return {
      transitionId,
      number,
      beganAt,
      tookMs,
      outcome,
      status,
      response,
      ...outcomeOf(verdict, { number: number - message.attemptsBefore, keyId: message.keyId, alert }),
      ...(isOld ? { belief: null } : {}),
      digested: digested.map((other) => ({
        transitionId: other.message.transitionId,
        belief: isDelivered && !other.isOld ? beliefAfter(other.message.keyId, other.alert) : null,
      })),
    };
  }
}
