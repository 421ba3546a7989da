import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import type { Destination } from '../../db/outbox/destinations.js';
import type { AttemptResult, LaneHealth, LaneWrite, Written } from '../../db/outbox/lane-write.js';
import type { Lane } from '../../db/outbox/lanes.js';
import { chunksOf } from '../../db/outbox/places.js';
import { insertRepeats } from '../../db/outbox/repeats.js';
import { leftOut, noteSettled } from '../../db/outbox/resumed-lanes.js';
import { hasUndelivered } from '../../db/outbox/trouble.js';
import type { DueMessage, LaneDue } from '../../db/outbox/waiting-messages.js';
import type { Delivery } from './delivery.js';
import { digestAbove } from './digest.js';
import type { LaneStore } from './lane-store.js';
import type { Verdict } from './presets/preset.js';
import { decideMessages, idsOf, type Ready, toBegun } from './ready-messages.js';
import { repeatSeconds } from './repeats.js';
import { beliefAfter, isBroken, limitedSeconds, outcomeOf, probeInSeconds } from './retries.js';
import { type Sent, sendPrepared } from './send.js';

export const LEASE_S = 60;
/** A lane is given back after so long, so that others get their turn. With its last requests, this must be much shorter than the lease. */
const PASS_MS = 20_000;
/** Requests to one destination at the same time, each about another key. */
const AT_ONCE = 4;
/** Requests that are noted at once, before they are sent: twice as many as were sent meanwhile. */
const MOST_NOTED = 256;
/** A request that is noted and not sent after so long is given back: the destination may have changed. */
const STALE_MS = 500;
/** Results are written after so long at most, and messages that came meanwhile are found. */
const [RESULTS_MS, LOOK_MS] = [20, 500];
const OUTAGE_WAIT_MS = 500;
/** With a rate, requests are noted so long before they are sent. */
const RATE_AHEAD_MS = 50;
/** A lane whose rate allows no request for longer is given back. */
const RATE_WAIT_MS = 1_000;
/** How long a lane is left alone after something that only somebody else can change, and after an error. */
const [UNREADABLE_REST_S, ERROR_REST_S] = [60, 10];
/** The most messages of a digest, and alerts that are told again in one transaction. */
const [DIGEST_PAGE, REPEAT_PAGE] = [500, 100];
/** A destination that has accepted nothing for so long, and of so many messages, is stopped. */
const MAX_FAILING_MS = 3 * 24 * 60 * 60_000;
const MIN_FAILED = 20;

/** Sends what is due in a lane, and gives the lane back. Returns for how many seconds nobody takes it. */
export async function runLane(delivery: Delivery, lane: Lane, store: LaneStore): Promise<number> {
  const giveBack = (restSeconds: number) =>
    store.writes.do({
      ...nothingIn(lane),
      release: { restSeconds, unlessDue: false, repeatSeconds: null },
    });
  try {
    const destination = await store.destinations.do(lane.destinationId);
    if (destination && (await settleResumed(delivery, lane, store))) {
      const isLongGone =
        (lane.failingForMs ?? 0) > MAX_FAILING_MS &&
        (await hasUndelivered(delivery.database, lane, MIN_FAILED));
      return await new Pass(delivery, { lane, destination, store, isLongGone }).run();
    }
    await giveBack(0);
    return 0;
  } catch (error) {
    await giveBack(ERROR_REST_S);
    throw error;
  }
}

/** Ends what is not to be sent of the messages that waited when the lane was resumed. Returns false if another worker has it, or it was resumed again. */
async function settleResumed({ database }: Delivery, lane: Lane, store: LaneStore): Promise<boolean> {
  if (lane.resume === null) return true;
  const all = await leftOut(database, lane.destinationId, lane.resume);
  for (const ended of chunksOf(all))
    if ((await store.writes.do({ ...nothingIn(lane), ended })) === 'lost') return false;
  return noteSettled(database, lane, lane.resume);
}

const nothingIn = (lane: Lane): LaneWrite => ({
  lane,
  results: [],
  ended: [],
  superseded: [],
  postponed: [],
  begun: [],
  revision: 0,
  unsent: [],
  health: null,
  release: null,
});

/** A request that is noted. Until it is sent, it can be given back. */
interface Noted extends Ready {
  notedAt: number;
  /** When the rate of the destination allows it. */
  at: number;
}

type UnwrittenResult = Omit<AttemptResult, 'agoMs'> & Pick<Sent, 'beganAt'>;

const NOTHING_DUE: LaneDue = { due: [], postponed: [], superseded: [], isFull: false };

/**
 * Works in rounds. Each writes the results since the one before and notes the next requests, in one transaction. Meanwhile the requests that are noted
 * are sent.
 */
class Pass {
  readonly #delivery: Delivery;
  readonly #lane: Lane;
  readonly #destination: Destination;
  readonly #store: LaneStore;
  readonly #endsAt = performance.now() + PASS_MS;
  /** After how long it is told again of an alert that still fires; null: never. */
  readonly #repeatSeconds: number | null;
  readonly #hasDigests: boolean;
  #failures: number;
  #isLongGone: boolean;
  /** Nothing more is sent in this pass: the destination is gone, was changed, fails, asks to wait, or another worker has the lane. */
  #isOver = false;
  /** The destination is gone or asks to wait, whatever other requests find. */
  #isToldOff = false;
  #restSeconds = 0;
  /** When the rate of the destination allows the next request. */
  #nextAt = 0;
  /** How many requests are noted at the same time. */
  #most = AT_ONCE;
  /** Noted, and not sent yet. */
  readonly #queue: Noted[] = [];
  readonly #sending = new Set<Promise<void>>();
  /** The keys of messages that are noted, until their results are written. */
  readonly #underWay = new Map<number, string>();
  #results: UnwrittenResult[] = [];
  #unsent: LaneWrite['unsent'][number][] = [];
  #health: LaneHealth | null = null;
  #failure: { error: unknown } | null = null;
  #wake = (): void => {};

  constructor(
    delivery: Delivery,
    {
      lane,
      destination,
      store,
      isLongGone,
    }: { lane: Lane; destination: Destination; store: LaneStore; isLongGone: boolean },
  ) {
    this.#delivery = { ...delivery, open: openedOnce(delivery.open) };
    this.#lane = lane;
    this.#destination = destination;
    this.#store = store;
    const preset = delivery.presetOf(destination.preset);
    this.#repeatSeconds = repeatSeconds(destination, preset);
    this.#hasDigests = Number.isFinite(digestAbove(destination, preset));
    this.#failures = lane.failures;
    this.#isLongGone = isLongGone;
  }

  /** Returns for how many seconds nobody takes the lane. */
  async run(): Promise<number> {
    try {
      await this.#repeat();
      return await this.#goRound();
    } finally {
      // Also after an error, all requests end before the lane is given back.
      this.#isOver = true;
      await Promise.all(this.#sending);
    }
  }

  /** Has the destination told again of what still fires. The messages come with those of changes. */
  async #repeat(): Promise<void> {
    const seconds = this.#repeatSeconds;
    if (seconds === null) return;
    const { database } = this.#delivery;
    while (this.#isOpen)
      if ((await insertRepeats(database, this.#lane, { seconds, limit: REPEAT_PAGE })) < REPEAT_PAGE) return;
  }

  async #goRound(): Promise<number> {
    for (let mayBeMore = true; ; ) {
      const wanted: number = mayBeMore || !this.#isIdle ? this.#wanted() : 0;
      const found: LaneDue = wanted === 0 ? NOTHING_DUE : await this.#look(wanted);
      if (wanted > 0) mayBeMore = found.isFull;
      const { ready: all, ended } = await this.#decide(found.due);
      const ready = all.slice(0, wanted);
      if (ready.length < all.length) mayBeMore = true;
      const rateMs = this.#nextAt - performance.now();
      const isEnd =
        this.#isIdle && ready.length === 0 && !(mayBeMore && this.#isOpen && rateMs < RATE_WAIT_MS);
      const restSeconds = Math.max(this.#restSeconds, rateMs / 1_000);
      const unlessDue = this.#isOpen && !mayBeMore;
      const release = isEnd ? { restSeconds, unlessDue, repeatSeconds: this.#repeatSeconds } : null;
      const written = await this.#write({ ...found, ended, begun: ready.map(toBegun), release });
      if (written === 'lost' || (isEnd && written !== 'kept')) return restSeconds;
      if (written === 'kept') mayBeMore = true;
      if (written === 'changed') this.#isOver = true;
      else this.#note(ready);
      const hasMore = mayBeMore && ended.length + found.superseded.length + found.postponed.length > 0;
      if (!hasMore) await this.#wait(mayBeMore ? this.#nextAt - RATE_AHEAD_MS - performance.now() : 0);
      if (this.#failure) throw this.#failure.error;
    }
  }

  get #isOpen(): boolean {
    return !this.#isOver && !this.#delivery.closing.aborted && performance.now() < this.#endsAt;
  }

  get #isIdle(): boolean {
    return this.#sending.size === 0 && this.#queue.length === 0;
  }

  /** Returns how many requests may be noted now. */
  #wanted(): number {
    if (!this.#isOpen) return 0;
    if (isBroken(this.#failures)) return this.#underWay.size === 0 ? 1 : 0;
    const room = this.#most - this.#queue.length;
    const { ratePerMinute } = this.#destination;
    if (room < this.#most / 2) return 0;
    if (ratePerMinute === null) return room;
    const now = performance.now();
    const aheadMs = now + RATE_AHEAD_MS - Math.max(now, this.#nextAt);
    return aheadMs < 0 ? 0 : Math.min(room, 1 + Math.floor((aheadMs * ratePerMinute) / 60_000));
  }

  #look(wanted: number): Promise<LaneDue> {
    const { id: destinationId, mode } = this.#destination;
    // While a destination fails, one message tries it.
    const limit = this.#hasDigests && !isBroken(this.#failures) ? DIGEST_PAGE : wanted;
    return this.#store.due.do({
      destinationId,
      isLatest: mode === 'latest',
      limit,
      underWay: new Map(this.#underWay),
    });
  }

  /** Writes what is new. Returns what became of it. */
  async #write(
    more: Pick<LaneWrite, 'ended' | 'superseded' | 'postponed' | 'begun' | 'release'>,
  ): Promise<Written> {
    const [results, unsent, health] = [this.#results, this.#unsent, this.#health];
    [this.#results, this.#unsent, this.#health] = [[], [], null];
    this.#most = Math.min(MOST_NOTED, Math.max(AT_ONCE, 2 * results.length, Math.floor(this.#most * 0.75)));
    const { ended, superseded, postponed, begun, release } = more;
    const lists = [results, unsent, ended, superseded, postponed, begun];
    if (lists.every(({ length }) => length === 0) && !health && !release) return 'written';
    const write = {
      ...nothingIn(this.#lane),
      ...{ unsent, ended, superseded, postponed, begun, release, health },
      revision: this.#destination.revision,
    };
    const written = await this.#keepTrying(() =>
      this.#store.writes.do({
        ...write,
        results: results.map((result) => ({ ...result, agoMs: performance.now() - result.beganAt })),
      }),
    );
    const over = [
      ...results.map(({ digested, ...one }) => ({ ...one, digested: idsIn(digested) })),
      ...unsent,
    ];
    for (const { transitionId, digested } of over)
      for (const id of [transitionId, ...digested]) this.#underWay.delete(id);
    return written;
  }

  /** What is not written is sent again. So an outage of the database that is shorter than the lease is waited for. */
  async #keepTrying<Result>(work: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const isLate = performance.now() > this.#endsAt + PASS_MS || this.#delivery.closing.aborted;
        if (isLate || !isDatabaseUnavailable(error)) throw error;
        await sleep(OUTAGE_WAIT_MS);
      }
    }
  }

  /** Parts messages into those that are sent and those that end. */
  async #decide(due: readonly DueMessage[]): Promise<{ ready: Ready[]; ended: LaneWrite['ended'] }> {
    if (due.length === 0) return { ready: [], ended: [] };
    const decided = await decideMessages(this.#delivery, this.#destination, due, this.#store);
    if (decided.ready !== null) return { ...decided, ready: decided.ready };
    this.#isOver = true;
    this.#restSeconds = UNREADABLE_REST_S;
    this.#delivery.log.warn(
      { destinationId: this.#destination.id },
      'a destination cannot be read: its preset is unknown, or its URL was encrypted with another SECRET_KEY',
    );
    return { ...decided, ready: [] };
  }

  /** Has requests sent that were noted. */
  #note(ready: readonly Ready[]): void {
    const notedAt = performance.now();
    const { ratePerMinute } = this.#destination;
    for (const one of ready) {
      const at = Math.max(notedAt, this.#nextAt);
      if (ratePerMinute !== null) this.#nextAt = at + 60_000 / ratePerMinute;
      this.#queue.push({ ...one, notedAt, at });
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

  async #sendQueued(): Promise<void> {
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      const waitMs = next.at - performance.now();
      if (waitMs > 0) await sleep(waitMs);
      const isStale = performance.now() - Math.max(next.notedAt, next.at) > STALE_MS;
      if (isStale || !this.#isOpen) {
        const { message, number, digested } = next;
        this.#unsent.push({ transitionId: message.transitionId, number, digested: idsOf(digested) });
        continue;
      }
      try {
        const sent = await sendPrepared(this.#delivery, next.preset, next.prepared);
        // Only now: those before it may have been written meanwhile.
        this.#results.push(this.#resultOf(next, sent));
      } catch (error) {
        this.#failure ??= { error };
        this.#isOver = true;
      }
      if (this.#queue.length <= this.#most / 2) this.#wake();
      else if (this.#results.length === 1) setTimeout(() => this.#wake(), RESULTS_MS);
    }
  }

  /** Waits until there is a result to write, or something to look for. */
  async #wait(rateMs: number): Promise<void> {
    if (this.#isIdle && rateMs <= 0) return;
    if (this.#results.length > 0 && this.#queue.length <= this.#most / 2) return;
    await new Promise<void>((resolve) => {
      const most = this.#results.length > 0 ? RESULTS_MS : LOOK_MS;
      const timer = setTimeout(resolve, rateMs > 0 ? Math.min(rateMs, most) : most);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Notes what a response says of the destination, and returns what it says of the message. */
  #resultOf({ message, alert, number, isOld, preset, digested }: Ready, sent: Sent): UnwrittenResult {
    const { verdict, beganAt, tookMs, outcome, status, response } = sent;
    this.#delivery.count(preset.name, verdict.outcome, (message.ageMs + tookMs) / 1_000);
    this.#learn(verdict);
    const { transitionId } = message;
    const isDelivered = verdict.outcome === 'delivered';
    return {
      ...{ transitionId, number, beganAt, tookMs, outcome, status, response },
      ...outcomeOf(verdict, { number: number - message.attemptsBefore, keyId: message.keyId, alert }),
      ...(isOld ? { belief: null } : {}),
      digested: digested.map((other) => ({
        transitionId: other.message.transitionId,
        belief: isDelivered && !other.isOld ? beliefAfter(other.message.keyId, other.alert) : null,
      })),
    };
  }

  #learn(verdict: Verdict): void {
    const isDelivered = verdict.outcome === 'delivered';
    // Requests that were under way when the destination became unavailable do not make it wait for longer.
    if (this.#isToldOff || (this.#isOver && !isDelivered)) return;
    let [probeSeconds, stopped]: [number | null, string | null] = [null, null];
    if (isDelivered) {
      this.#failures = 0;
      this.#isLongGone = false;
    } else if (verdict.outcome === 'gone') {
      stopped = 'gone';
      this.#isToldOff = true;
    } else if (limitedSeconds(verdict) !== null) {
      probeSeconds = limitedSeconds(verdict);
      this.#isToldOff = true;
    } else {
      this.#failures += 1;
      probeSeconds = probeInSeconds(this.#failures);
      if (this.#isLongGone) stopped = 'failing';
    }
    if (this.#isToldOff || isBroken(this.#failures)) this.#isOver = true;
    const hasSucceeded = isDelivered || this.#health?.hasSucceeded === true;
    this.#health = { failures: this.#failures, hasSucceeded, probeInSeconds: probeSeconds, stopped };
  }
}

const idsIn = (messages: AttemptResult['digested']): number[] =>
  messages.map(({ transitionId }) => transitionId);

/** Returns a function that opens each secret only once. */
function openedOnce(open: Delivery['open']): Delivery['open'] {
  const opened = new Map<Buffer, string | null>();
  return (sealed, owner) => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const text = open(sealed, owner);
    opened.set(sealed, text);
    return text;
  };
}
