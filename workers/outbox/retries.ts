import type { AttemptResult } from '../../db/outbox/lane-write.js';
import type { AlertThen } from './alert-then.js';
import type { Verdict } from './presets/preset.js';

const [MINUTE_S, HOUR_S] = [60, 3_600];

/** How long to wait after each attempt that failed, in seconds; about a day in all. An alert is worth nothing after that. */
const DELAYS_S = [
  5,
  30,
  2 * MINUTE_S,
  5 * MINUTE_S,
  15 * MINUTE_S,
  30 * MINUTE_S,
  HOUR_S,
  2 * HOUR_S,
  4 * HOUR_S,
  8 * HOUR_S,
  8 * HOUR_S,
];
/** A receiver that rejects a message gets it a few times more: it may have been deployed wrongly, or have a new secret. */
const REJECTED_DELAYS_S = [30, 10 * MINUTE_S];
const JITTER = 0.2;

/** How many attempts in a row make a destination unavailable. Then one message at a time probes it. */
const FAILURES_UNTIL_BREAK = 5;
const [FIRST_PROBE_S, LAST_PROBE_S] = [30, 10 * MINUTE_S];

/** Returns in how many seconds a message is sent again after so many attempts; null: not again. */
export function retryInSeconds(attempts: number, isRejected: boolean, random = Math.random): number | null {
  const delay = (isRejected ? REJECTED_DELAYS_S : DELAYS_S)[attempts - 1];
  return delay === undefined ? null : delay * (1 + JITTER * (2 * random() - 1));
}

/** Returns in how many seconds a destination may be tried again after so many failures in a row; null: at once. */
export const probeInSeconds = (failures: number): number | null =>
  failures < FAILURES_UNTIL_BREAK
    ? null
    : Math.min(LAST_PROBE_S, FIRST_PROBE_S * 2 ** Math.min(10, failures - FAILURES_UNTIL_BREAK));

export const isBroken = (failures: number): boolean => failures >= FAILURES_UNTIL_BREAK;

/** Such an attempt is not counted, so a receiver that asks to be left alone for less would be asked many times a second, for a day. */
const LEAST_LIMITED_S = 1;

/**
 * Returns for how many seconds a receiver asks to be left alone; null: it does not. One that says for no time at all, or until a time that is over, does
 * not say for how long.
 */
export const limitedSeconds = (verdict: Verdict): number | null =>
  verdict.outcome === 'later' && !verdict.isCounted
    ? Math.max(LEAST_LIMITED_S, (verdict.afterMs || MINUTE_S * 1_000) / 1_000)
    : null;

/** Returns what a destination knows after a message; null of an alert that stands alone, and of a job. */
export const beliefAfter = (keyId: string, alert: AlertThen | null) =>
  alert?.status
    ? { keyId, alertId: alert.id, isFiring: alert.status === 'firing', severity: alert.severity }
    : null;

/** Returns what becomes of a message after an attempt. */
export function outcomeOf(
  verdict: Verdict,
  { number, keyId, alert }: { number: number; keyId: string; alert: AlertThen | null },
): Pick<AttemptResult, 'againInSeconds' | 'end' | 'belief' | 'isCounted'> {
  if (verdict.outcome === 'delivered') {
    return { againInSeconds: null, end: 'delivered', belief: beliefAfter(keyId, alert), isCounted: true };
  }
  const waiting = { end: null, belief: null };
  if (verdict.outcome === 'gone') return { ...waiting, againInSeconds: 0, isCounted: false };
  const limited = limitedSeconds(verdict);
  if (limited !== null) return { ...waiting, againInSeconds: limited, isCounted: false };
  const isRejected = verdict.outcome === 'rejected';
  const again = isRejected && verdict.isFinal ? null : retryInSeconds(number, isRejected);
  if (again === null) return { againInSeconds: null, end: 'dead', belief: null, isCounted: true };
  const leastSeconds = verdict.outcome === 'later' ? (verdict.afterMs ?? 0) / 1_000 : 0;
  return { ...waiting, againInSeconds: Math.max(again, leastSeconds), isCounted: true };
}
