import type { Belief } from '../../db/outbox/beliefs.js';
import type { Destination } from '../../db/outbox/destinations.js';
import type { StoredTransition } from '../../db/outbox/transitions.js';
import type { DueMessage, EndState } from '../../db/outbox/waiting-messages.js';
import type { AlertThen } from './alert-then.js';
import type { ChangeType, MessageType, Preset } from './presets/preset.js';
import { repeatSeconds } from './repeats.js';

/** An alert is worth nothing after a day. What a job did is, as long as its files are kept. */
const MAX_AGE_MS = { alert: 24 * 60 * 60_000, job: 7 * 24 * 60 * 60_000 };

/** How a message ends that is not sent. */
export interface Unsent {
  state: EndState;
  reason: string;
}

const EXPIRED: Unsent = { state: 'expired', reason: 'expired' };
const SUPERSEDED: Unsent = { state: 'superseded', reason: 'superseded' };

/** Returns what a destination is told of a job, or why it is told nothing. */
export function decideOfJob(
  { mode }: Pick<Destination, 'mode'>,
  { message, hasNewer }: Pick<DueMessage, 'message' | 'hasNewer'>,
): 'job.finished' | Unsent {
  if (message.ageMs > MAX_AGE_MS.job) return EXPIRED;
  if (message.isReplayed && mode === 'latest' && hasNewer) return SUPERSEDED;
  return 'job.finished';
}

/** Returns what a destination is told by a message about an alert, or why it is told nothing. */
export function decide(
  destination: Pick<Destination, 'mode' | 'types' | 'settleSeconds' | 'repeatEveryMinutes'>,
  {
    preset,
    message,
    belief,
    newerWaits,
    hasNewer,
    mayBeTold,
    transition,
    alert,
  }: Pick<DueMessage, 'message' | 'belief' | 'newerWaits' | 'hasNewer' | 'mayBeTold'> & {
    /** Of the destination. */
    preset: Preset | null;
    transition: { kind: Exclude<StoredTransition['kind'], 'finished'> };
    alert: Pick<AlertThen, 'id' | 'severity'>;
  },
): MessageType | Unsent {
  const { mode, types, settleSeconds } = destination;
  if (message.ageMs > MAX_AGE_MS.alert) return EXPIRED;
  if (message.isReplayed) {
    // Whatever became of the newer one: this one is not the state of the alert.
    if (mode === 'latest' && hasNewer) return SUPERSEDED;
    const isKnown = belief !== undefined && belief.transitionId >= message.transitionId;
    if (isKnown || message.copy > 0) return `alert.${transition.kind}`;
  }
  if (transition.kind === 'resolved') {
    // The end is told to everybody who was told of the alert, whatever the filter says now.
    const knows = belief?.isFiring || mayBeTold;
    return knows ? 'alert.resolved' : { state: 'superseded', reason: 'not_told' };
  }
  const isNew = transition.kind === 'fired' || belief?.isFiring !== true;
  if (settleSeconds > 0 && message.attempts === 0 && !message.isReplayed && isNew && newerWaits)
    return { state: 'superseded', reason: 'settled' };
  const filteredBy = message.isFiltered ? (message.detail === null ? 'severity' : 'filter') : null;
  const news = decideNews({ types }, { alert, belief, filteredBy, mayBeTold });
  if (typeof news === 'string' || transition.kind !== 'repeated' || belief?.isFiring !== true) return news;
  const seconds = repeatSeconds(destination, preset);
  // It may have been told of the alert since.
  if (belief.alertId !== alert.id || seconds === null || belief.ageMs < seconds * 1_000) return news;
  // A receiver that must be told to keep an alert is told, whatever the filter says now.
  if (filteredBy === null || preset?.refreshSeconds !== undefined) return 'alert.repeated';
  return { state: 'filtered', reason: filteredBy };
}

/** Returns what a destination is told of an alert that fires, by what it knows, or why it is told nothing. */
export function decideNews(
  { types }: Pick<Destination, 'types'>,
  {
    alert,
    belief,
    filteredBy,
    mayBeTold = false,
  }: {
    alert: Pick<AlertThen, 'id' | 'severity'>;
    belief: Pick<Belief, 'isFiring' | 'alertId' | 'severity'> | undefined;
    filteredBy: 'severity' | 'filter' | null;
    /** Whether it may have been told of something else since then, which it has to take back. */
    mayBeTold?: boolean;
  },
): ChangeType | Unsent {
  const isTold = belief?.isFiring === true && belief.alertId === alert.id;
  if (isTold && !mayBeTold && belief.severity === alert.severity)
    return { state: 'superseded', reason: 'unchanged' };
  if (!isTold && !mayBeTold && filteredBy !== null) return { state: 'filtered', reason: filteredBy };
  const type = isTold ? 'alert.changed' : 'alert.fired';
  return types.includes(type) ? type : { state: 'filtered', reason: 'type' };
}
