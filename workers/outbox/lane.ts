import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import { type AttemptResult, beginAttempt, endAttempt } from '../../db/outbox/attempts.js';
import { beliefsOf } from '../../db/outbox/beliefs.js';
import { type Destination, findDestination } from '../../db/outbox/destinations.js';
import { keepLane, type Lane, releaseLane } from '../../db/outbox/lanes.js';
import { findTransitions, type StoredTransition } from '../../db/outbox/transitions.js';
import { dueMessages, endMessages, type WaitingMessage } from '../../db/outbox/waiting-messages.js';
import { integrationsOf } from '../../db/series/told-alerts.js';
import { type AlertThen, shownAlert } from './alert-then.js';
import { decide, type Unsent } from './decide.js';
import { messageId } from './message-id.js';
import type { Preset, Told, Verdict } from './presets/preset.js';
import { isBroken, probeInSeconds, retryInSeconds } from './retries.js';
import { type Prepared, prepareRequest, type Send, sendPrepared } from './send.js';

export const LEASE_S = 60;
/** A lane is given back after so long, so that others get their turn. */
const PASS_MS = 20_000;
/** Requests to one destination at the same time, each about another key. */
const AT_ONCE = 4;
/** How long a lane is left alone after something that only somebody else can change, and after an error. */
const [UNREADABLE_REST_S, ERROR_REST_S] = [60, 10];
/** The rate of a destination is waited for in a pass for so long at most; otherwise its lane is given back. */
const RATE_WAIT_MS = 1_000;
const PAGE = 100;
/** A destination that has accepted nothing for so long is stopped. */
const MAX_FAILING_MS = 3 * 24 * 60 * 60_000;

/** What sending needs. */
export interface Delivery {
  database: Database;
  log: Logger;
  closing: AbortSignal;
  send: Send;
  /** The right time. */
  now(): number;
  /** Decrypts what belongs to a destination; null if it cannot be read. */
  open(sealed: Buffer, owner: string): string | null;
  presetOf(name: string): Preset | null;
  /** Counts a request, and how many seconds after the change it was. */
  count(preset: string, outcome: Verdict['outcome'], seconds: number): void;
  /** Address of the console, for links; null if it is not known. */
  publicUrl: string | null;
}

/** Sends what is due in a lane, and gives the lane back. */
export async function runLane(delivery: Delivery, lane: Lane): Promise<void> {
  let restSeconds = ERROR_REST_S;
  try {
    const destination = await findDestination(delivery.database, lane.destinationId);
    restSeconds = destination ? await new Pass(delivery, lane, destination).run() : 0;
  } finally {
    await releaseLane(delivery.database, lane, restSeconds);
  }
}

/** A message that is to be sent, with what it says. */
interface Ready {
  message: WaitingMessage;
  transition: StoredTransition & { createdAt: Date };
  alert: AlertThen;
  type: Told['type'];
  /** The number of the transition that the destination was told of before, while the alert fires. */
  toldBefore: number | null;
}

class Pass {
  readonly #delivery: Delivery;
  readonly #lane: Lane;
  readonly #destination: Destination;
  readonly #endsAt = performance.now() + PASS_MS;
  #failures: number;
  /** Nothing more is sent in this pass: the destination is gone, was changed, asks to wait, or another worker has the lane. */
  #isOver = false;
  #restSeconds = 0;
  /** When the rate of the destination allows the next request. */
  #nextAt = 0;

  constructor(delivery: Delivery, lane: Lane, destination: Destination) {
    this.#delivery = delivery;
    this.#lane = lane;
    this.#destination = destination;
    this.#failures = lane.failures;
  }

  /** Returns for how many seconds the lane is to be left alone then. */
  async run(): Promise<number> {
    await this.#sendDue();
    const waitMs = this.#nextAt - performance.now();
    if (waitMs > RATE_WAIT_MS) return Math.max(this.#restSeconds, waitMs / 1_000);
    if (waitMs > 0) await this.#sleep(waitMs);
    return this.#restSeconds;
  }

  async #sendDue(): Promise<void> {
    const { database, closing } = this.#delivery;
    while (!this.#isOver && !closing.aborted && performance.now() < this.#endsAt) {
      if (!(await keepLane(database, this.#lane, LEASE_S))) return;
      const isProbe = isBroken(this.#failures);
      const due = await dueMessages(database, this.#lane, {
        limit: isProbe ? 1 : PAGE,
        isLatest: this.#destination.mode === 'latest',
      });
      if (due.length === 0) return;
      const ready = await this.#decide(due);
      await this.#sendAll(ready);
      if (isProbe && isBroken(this.#failures)) return;
    }
  }

  /** Ends the messages that are not sent, and returns the others. */
  async #decide(due: readonly WaitingMessage[]): Promise<Ready[]> {
    const { database } = this.#delivery;
    const transitions = await findTransitions(
      database,
      due.map(({ transitionId }) => transitionId),
    );
    const beliefs = await beliefsOf(
      database,
      this.#lane,
      due.map(({ keyId }) => keyId),
    );
    const ended = new Map<string, Unsent & { ids: number[] }>();
    const end = ({ transitionId }: WaitingMessage, how: Unsent) => {
      const key = `${how.state} ${how.reason}`;
      const known = ended.get(key) ?? { ...how, ids: [] };
      known.ids.push(transitionId);
      ended.set(key, known);
    };
    const ready: Ready[] = [];
    for (const message of due) {
      const transition = transitions.get(message.transitionId);
      if (!transition) {
        end(message, { state: 'expired', reason: 'expired' });
        continue;
      }
      const alert: AlertThen = JSON.parse(transition.alert);
      const belief = beliefs.get(message.keyId);
      const decided = await decide(database, this.#destination, { message, transition, alert, belief });
      const toldBefore = belief?.isFiring ? belief.transitionId : null;
      if (typeof decided === 'string') ready.push({ message, transition, alert, type: decided, toldBefore });
      else end(message, decided);
    }
    for (const { ids, ...how } of ended.values())
      if (!(await endMessages(database, this.#lane, ids, how))) this.#isOver = true;
    return ready;
  }

  async #sendAll(ready: readonly Ready[]): Promise<void> {
    if (ready.length === 0) return;
    const { database, open, presetOf } = this.#delivery;
    const preset = presetOf(this.#destination.preset);
    const url = open(this.#destination.url, this.#destination.id);
    if (!preset || url === null) {
      this.#isOver = true;
      this.#restSeconds = UNREADABLE_REST_S;
      this.#delivery.log.warn(
        { destinationId: this.#destination.id },
        'a destination cannot be read: its preset is unknown, or its URL was encrypted with another SECRET_KEY',
      );
      return;
    }
    const before = await findTransitions(
      database,
      ready.flatMap(({ toldBefore }) => toldBefore ?? []),
    );
    const names = await integrationsOf(database, [...new Set(ready.map(({ alert }) => alert.webhookId))]);
    const queue = [...ready].reverse();
    const sendNext = async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
        if (this.#isOver || this.#delivery.closing.aborted || performance.now() > this.#endsAt) return;
        if (isBroken(this.#failures) && ready.length > 1) return;
        if (!(await this.#waitForRate())) return;
        const told = next.toldBefore === null ? undefined : before.get(next.toldBefore);
        const webhookName = names.get(next.alert.webhookId)?.name ?? '';
        await this.#send(next, { preset, url, webhookName, before: told?.alert });
      }
    };
    // Also after an error, all requests end before the lane is given back.
    for (const end of await Promise.allSettled(Array.from({ length: AT_ONCE }, sendNext)))
      if (end.status === 'rejected') throw end.reason;
  }

  /** Keeps to the rate of the destination. Returns false if that would take longer than the pass. */
  async #waitForRate(): Promise<boolean> {
    const { ratePerMinute } = this.#destination;
    if (ratePerMinute === null) return true;
    const now = performance.now();
    const at = Math.max(now, this.#nextAt);
    if (at > this.#endsAt) return false;
    this.#nextAt = at + 60_000 / ratePerMinute;
    if (at > now) await this.#sleep(at - now);
    return true;
  }

  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#delivery.closing }).catch(() => {});
  }

  async #send(
    { message, transition, alert, type }: Ready,
    {
      preset,
      url,
      webhookName,
      before,
    }: { preset: Preset; url: string; webhookName: string; before: string | undefined },
  ): Promise<void> {
    const { database } = this.#delivery;
    const told: Told = {
      id: messageId(transition.id, this.#destination.id),
      type,
      at: transition.createdAt.toISOString(),
      sequence: transition.id,
      alert: this.#shown(alert, webhookName),
      ...(before === undefined ? {} : { before: this.#shown(JSON.parse(before), webhookName) }),
      isTest: false,
    };
    const prepared = prepareRequest(
      { ...this.#delivery, destination: this.#destination, preset, url },
      told,
      message.body,
    );
    if ('fault' in prepared) {
      const end = { state: 'dead', reason: 'body', detail: prepared.fault } as const;
      if (!(await endMessages(database, this.#lane, [transition.id], end))) this.#isOver = true;
      return;
    }
    const number = message.attempts + 1;
    const { revision } = this.#destination;
    const attempt = { transitionId: transition.id, number, body: prepared.body, revision };
    if (!(await beginAttempt(database, this.#lane, attempt))) {
      this.#isOver = true;
      return;
    }
    const result = await this.#attempt({ message, alert, number }, preset, prepared);
    const isOurs = await endAttempt(database, this.#lane, { ...result, transitionId: transition.id, number });
    if (!isOurs) this.#isOver = true;
  }

  #shown(alert: AlertThen, webhookName: string): Told['alert'] {
    const { publicUrl } = this.#delivery;
    return shownAlert(alert, { webhookName, link: publicUrl && `${publicUrl}/alerts/${alert.id}` });
  }

  async #attempt(
    { message, alert, number }: Pick<Ready, 'message' | 'alert'> & { number: number },
    preset: Preset,
    prepared: Prepared,
  ): Promise<Omit<AttemptResult, 'transitionId' | 'number'>> {
    const sent = await sendPrepared(this.#delivery, preset, prepared);
    const { verdict, outcome, status, response, tookMs } = sent;
    const common = { tookMs, outcome, status, response };
    this.#delivery.count(preset.name, verdict.outcome, (message.ageMs + tookMs) / 1_000);
    // Another request of this pass may have learned meanwhile that the destination is gone, or asks to wait.
    const isOver = this.#isOver;
    if (verdict.outcome === 'delivered') {
      this.#failures = 0;
      const { status: state, severity, id: alertId } = alert;
      const belief =
        state === null ? null : { keyId: message.keyId, alertId, isFiring: state === 'firing', severity };
      const lane = isOver ? null : { failures: 0, probeInSeconds: null, stopped: null };
      return { ...common, againInSeconds: null, end: 'delivered', belief, isCounted: true, lane };
    }
    const waiting = { belief: null, end: null };
    if (verdict.outcome === 'gone') {
      this.#isOver = true;
      const lane = { failures: this.#failures, probeInSeconds: null, stopped: 'gone' };
      return { ...common, ...waiting, againInSeconds: 0, isCounted: false, lane };
    }
    if (verdict.outcome === 'later' && !verdict.isCounted) {
      this.#isOver = true;
      const seconds = (verdict.afterMs ?? 60_000) / 1_000;
      const lane = isOver ? null : { failures: this.#failures, probeInSeconds: seconds, stopped: null };
      return { ...common, ...waiting, againInSeconds: seconds, isCounted: false, lane };
    }
    this.#failures += 1;
    const isLongGone = (this.#lane.failingForMs ?? 0) > MAX_FAILING_MS;
    const lane = isOver
      ? null
      : {
          failures: this.#failures,
          probeInSeconds: probeInSeconds(this.#failures),
          stopped: isLongGone ? 'failing' : null,
        };
    const again = retryInSeconds(number, verdict.outcome === 'rejected');
    const least = verdict.outcome === 'later' ? (verdict.afterMs ?? 0) / 1_000 : 0;
    return {
      ...common,
      belief: null,
      againInSeconds: again === null ? null : Math.max(again, least),
      end: again === null ? 'dead' : null,
      isCounted: true,
      lane,
    };
  }
}
