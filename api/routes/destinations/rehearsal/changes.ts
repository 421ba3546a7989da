import type { Database } from '../../../../db/client/connect.js';
import type { Deadline } from '../../../../db/client/deadline.js';
import type { Alert } from '../../../../db/events/alerts/alerts.js';
import { foldItems, isFiring, noItemsOf, severityOfAlert } from '../../../../workers/mapping/index.js';
import { type AlertThen, asFolded, toThen } from '../../../../workers/outbox/alert-then.js';
import { isKeyed, itemsInOrder } from '../../alerts/items.js';

/** How an alert changed, and as what. */
export interface Change {
  kind: 'fired' | 'changed' | 'resolved';
  /** Milliseconds since 1970. */
  at: number;
  alert: AlertThen;
}

/**
 * Returns how an alert changed since it opened, in order.
 * @throws an error for which `isTooSlow` is true after the deadline
 */
export async function changesOf(
  reading: { database: Database; deadline: Deadline },
  alert: Alert,
): Promise<Change[]> {
  const now = toThen(alert);
  const opened = { kind: 'fired', at: alert.receivedAt.getTime() } as const;
  if (alert.dedupKey === null || !isKeyed(alert)) return [{ ...opened, alert: now }];
  const { eventCount, resolvedAt, resolvedBy } = alert;
  // What resolves an alert changes nothing else of it.
  if (eventCount === 1 || (eventCount === 2 && resolvedBy === 'event')) {
    const fired = {
      status: 'firing',
      resolvedAt: null,
      resolvedBy: null,
      resolution: null,
      eventCount: 1,
    } as const;
    const changes: Change[] = [{ ...opened, alert: { ...now, ...fired } }];
    return resolvedAt ? [...changes, { kind: 'resolved', at: resolvedAt.getTime(), alert: now }] : changes;
  }
  const changes: Change[] = [];
  let state = noItemsOf(alert.seriesKey);
  let severity: string | null = null;
  for await (const item of itemsInOrder(reading, alert, null)) {
    ({ state } = foldItems(state, [item]));
    const { latest } = state;
    if (latest?.id !== alert.id) continue;
    const before = severity;
    severity = severityOfAlert(latest);
    const kind =
      changes.length === 0
        ? 'fired'
        : !isFiring(latest)
          ? 'resolved'
          : severity === before
            ? null
            : 'changed';
    if (kind) changes.push({ kind, at: item.receivedAt, alert: asFolded(alert, latest) });
  }
  return changes;
}
