import type { Alert } from '../../../db/events/alerts.js';
import type { NewAlert, NewEvent } from '../../../db/events/new-event.js';
import { ALERT_FIELDS } from '../../mapping/index.js';
import type { RemapCounts } from './plan.js';

/** How to update an event that was mapped again. */
export interface EventChange {
  /** The event to store; null if the stored one stays as it is. */
  write: NewEvent | null;
  /** Ids of alerts to delete. */
  surplus: string[];
  counts: Partial<RemapCounts>;
}

/** Compares the new alerts of an event with the stored ones. A mapping that fails deletes no alerts. */
export function compareAlerts(event: NewEvent, stored: readonly Alert[]): EventChange {
  if (event.state === 'failed') {
    const write = stored.length > 0 ? null : event;
    return { write, surplus: [], counts: { events: 1, failed: 1 } };
  }
  const before = new Map(stored.map((alert) => [alert.id, alert]));
  const counts = {
    events: 1,
    filtered: event.state === 'filtered' ? 1 : 0,
    alerts: event.alerts.length,
    added: 0,
    changed: 0,
    unchanged: 0,
    completed: 0,
  };
  for (const alert of event.alerts) {
    const old = before.get(alert.id);
    before.delete(alert.id);
    if (old?.state === 'incomplete' && alert.state === 'complete') counts.completed += 1;
    counts[old ? (isSame(alert, old) ? 'unchanged' : 'changed') : 'added'] += 1;
  }
  const surplus = [...before.keys()];
  return { write: event, surplus, counts: { ...counts, removed: surplus.length } };
}

/** Returns whether two alerts have the same content. Ignores their revisions. */
const isSame = (mapped: NewAlert, stored: Alert): boolean =>
  mapped.state === stored.state &&
  ALERT_FIELDS.every((field) => mapped[field] === stored[field]) &&
  (mapped.custom ?? '{}') === JSON.stringify(stored.custom) &&
  (mapped.faults ?? '[]') === JSON.stringify(stored.faults);
