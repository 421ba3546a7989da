import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import type { Destination } from '../../db/outbox/destinations.js';
import type { LaneWrite, Written } from '../../db/outbox/lane-write.js';
import type { Lane } from '../../db/outbox/lanes.js';
import { insertRepeats } from '../../db/outbox/repeats.js';
import type { DueMessage, LaneDue } from '../../db/outbox/waiting-messages.js';
import type { Delivery } from './delivery.js';
import { digestAbove } from './digest.js';
import { Health } from './health.js';
import type { Hold } from './hold.js';
import { type LaneStore, nothingIn } from './lane-store.js';
import { decideMessages, type Ready, toBegun } from './ready-messages.js';
import { repeatSeconds } from './repeats.js';
import { Requests } from './requests.js';

/** A lane is given back after so long, so that others get their turn. */
const PASS_MS = 20_000;
const OUTAGE_WAIT_MS = 500;
/** Something is written after so long, so that no other worker takes the lane. */
const RENEW_MS = 2_000;
/** A lane whose rate allows no request for longer is given back. */
const RATE_WAIT_MS = 1_000;
/** How long a lane is left alone that only somebody else can change. */
const UNREADABLE_REST_S = 60;
/** The most messages of a digest, and alerts that are told again in one transaction. */
const [DIGEST_PAGE, REPEAT_PAGE] = [500, 100];
const NOTHING_DUE: LaneDue = { due: [], postponed: [], superseded: [], isFull: false };

/**
 * One turn of a worker with a lane, in rounds. Each writes the results since the one before and notes the next requests, in one transaction. Meanwhile the
 * requests that are noted are sent.
 */
export class Pass {
  readonly #delivery: Delivery;
  readonly #lane: Lane;
  readonly #destination: Destination;
  readonly #store: LaneStore;
  readonly #health: Health;
  readonly #hold: Hold;
  #writtenAt = performance.now();
  readonly #requests: Requests;
  readonly #endsAt = performance.now() + PASS_MS;
  /** After how long it is told again of an alert that still fires; null: never. */
  readonly #repeatSeconds: number | null;
  readonly #hasDigests: boolean;
  #restSeconds = 0;

  constructor(
    delivery: Delivery,
    {
      lane,
      destination,
      store,
      hold,
      isLongGone,
    }: { lane: Lane; destination: Destination; store: LaneStore; hold: Hold; isLongGone: boolean },
  ) {
    this.#delivery = { ...delivery, open: openedOnce(delivery.open) };
    this.#lane = lane;
    this.#destination = destination;
    this.#store = store;
    this.#hold = hold;
    const preset = delivery.presetOf(destination.preset);
    this.#repeatSeconds = repeatSeconds(destination, preset);
    this.#hasDigests = Number.isFinite(digestAbove(destination, preset));
    this.#health = new Health({ failures: lane.failures, isLongGone });
    this.#requests = new Requests(this.#delivery, {
      ratePerMinute: destination.ratePerMinute,
      health: this.#health,
      hold,
      isOpen: () => this.#isOpen,
    });
  }

  /** Returns for how many seconds nobody takes the lane. */
  async run(): Promise<number> {
    try {
      await this.#repeat();
      return await this.#goRound();
    } finally {
      // Also after an error, all requests end before the lane is given back.
      this.#health.end();
      await this.#requests.end();
    }
  }

  /** Has the destination told again of what still fires. The messages come with those of changes. */
  async #repeat(): Promise<void> {
    const seconds = this.#repeatSeconds;
    if (seconds === null) return;
    const { database } = this.#delivery;
    while (this.#isOpen) {
      if ((await insertRepeats(database, this.#lane, { seconds, limit: REPEAT_PAGE })) < REPEAT_PAGE) return;
      await this.#write({ ...NOTHING_DUE, ended: [], begun: [], release: null });
    }
  }

  async #goRound(): Promise<number> {
    const requests = this.#requests;
    for (let mayBeMore = true; ; ) {
      const wanted: number = mayBeMore || !requests.isIdle ? requests.wanted() : 0;
      const found: LaneDue = wanted === 0 ? NOTHING_DUE : await this.#look(wanted);
      if (wanted > 0) mayBeMore = found.isFull;
      const { ready: all, ended } = await this.#decide(found.due);
      const ready = all.slice(0, wanted);
      if (ready.length < all.length) mayBeMore = true;
      const { rateMs } = requests;
      const isEnd =
        requests.isIdle && ready.length === 0 && !(mayBeMore && this.#isOpen && rateMs < RATE_WAIT_MS);
      const restSeconds = Math.max(this.#restSeconds, rateMs / 1_000);
      const unlessDue = this.#isOpen && !mayBeMore;
      const release = isEnd ? { restSeconds, unlessDue, repeatSeconds: this.#repeatSeconds } : null;
      const written = await this.#write({ ...found, ended, begun: ready.map(toBegun), release });
      if (written === 'lost' || (isEnd && written !== 'kept')) return restSeconds;
      if (written === 'kept') mayBeMore = true;
      if (written === 'changed') this.#health.end();
      else requests.note(ready);
      const hasMore = mayBeMore && ended.length + found.superseded.length + found.postponed.length > 0;
      if (!hasMore) await requests.wait(mayBeMore);
      requests.check();
    }
  }

  get #isOpen(): boolean {
    const isOver = this.#health.isOver || this.#hold.isOver || this.#delivery.closing.aborted;
    return !isOver && performance.now() < this.#endsAt;
  }

  #look(wanted: number): Promise<LaneDue> {
    const { id: destinationId, mode } = this.#destination;
    // While a destination fails, one message tries it.
    const limit = this.#hasDigests && !this.#health.isBroken ? DIGEST_PAGE : wanted;
    return this.#store.due.do({
      destinationId,
      isLatest: mode === 'latest',
      limit,
      underWay: new Map(this.#requests.underWay),
    });
  }

  /** Writes what is new. Returns what became of it. */
  async #write(
    more: Pick<LaneWrite, 'ended' | 'superseded' | 'postponed' | 'begun' | 'release'>,
  ): Promise<Written> {
    const found = this.#requests.take();
    const { results, unsent } = found;
    const health = this.#health.takeNews();
    const { ended, superseded, postponed, begun, release } = more;
    const lists = [results, unsent, ended, superseded, postponed, begun];
    const isNothing = lists.every(({ length }) => length === 0) && !health && !release;
    if (isNothing && performance.now() - this.#writtenAt < RENEW_MS) return 'written';
    const write = {
      ...nothingIn(this.#lane),
      ...{ unsent, ended, superseded, postponed, begun, release, health },
      revision: this.#destination.revision,
    };
    const written = await this.#keepTrying(() => {
      this.#writtenAt = performance.now();
      return this.#store.writes.do({
        ...write,
        results: results.map((result) => ({ ...result, agoMs: performance.now() - result.beganAt })),
      });
    });
    if (written === 'lost') this.#hold.end();
    else this.#hold.renew(this.#writtenAt);
    this.#requests.written(found);
    return written;
  }

  /** What is not written is sent again. So an outage of the database is waited for. */
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
    this.#health.end();
    this.#restSeconds = UNREADABLE_REST_S;
    this.#delivery.log.warn(
      { destinationId: this.#destination.id },
      'a destination cannot be read: its preset is unknown, or its URL was encrypted with another SECRET_KEY',
    );
    return { ...decided, ready: [] };
  }
}

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
