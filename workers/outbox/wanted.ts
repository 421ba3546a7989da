import { RANKED_SEVERITIES, rankBelow } from '../../db/events/alerts/severity-rank.js';
import type { Destination } from '../../db/outbox/destinations.js';
import type { StoredTransition } from '../../db/outbox/transitions.js';
import type { AlertThen } from './alert-then.js';

type Change = Exclude<StoredTransition['kind'], 'finished'>;

/**
 * Returns whether a destination is to hear of changes of this kind, of this integration. One that hears of new alerts hears of those that become severe
 * enough. One that was told of an alert hears of its end, also if it hears of other integrations now.
 */
export function isWanted(
  { webhookIds, types }: Pick<Destination, 'webhookIds' | 'types'>,
  { kind, webhookId, mayKnow }: { kind: Change; webhookId: string; mayKnow: boolean },
): boolean {
  const isOther = webhookIds !== null && !webhookIds.includes(webhookId);
  if (isOther && !(kind === 'resolved' && mayKnow)) return false;
  if (kind === 'repeated') return true;
  return types.includes(`alert.${kind}`) || (kind === 'changed' && types.includes('alert.fired'));
}

/** Returns whether an alert is so severe that a destination is to hear of it. */
export function isSevereEnough(
  { severityAtLeast }: Pick<Destination, 'severityAtLeast'>,
  { severityRank }: AlertThen,
): boolean {
  const least = RANKED_SEVERITIES.find((severity) => severity === severityAtLeast);
  return least === undefined || severityRank > rankBelow(least);
}

/** Returns for how long a change waits, in milliseconds: also one of the severity, until the alert is no longer new. */
export function settlesInMs(
  { settleSeconds }: Pick<Destination, 'settleSeconds'>,
  { kind, alert, at }: { kind: Change; alert: Pick<AlertThen, 'startedAt'>; at: number },
): number {
  const settleMs = settleSeconds * 1_000;
  if (kind === 'fired' || settleMs === 0) return settleMs;
  return kind === 'changed' ? Math.max(0, Date.parse(alert.startedAt) + settleMs - at) : 0;
}
