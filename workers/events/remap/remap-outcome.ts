import type { Alert } from '../../../db/events/alerts.js';
import type { NewAlert, NewEvent } from '../../../db/events/new-event.js';
import { ALERT_FIELDS } from '../../mapping/index.js';
import type { RemapCounts } from './remap-plan.js';

/** What is to become of an event that was mapped again. */
export interface RemapDecision {
  /** The event as it is to be; null: it stays as it is. */
  write: NewEvent | null;
  /** Ids of alerts that are no more. */
  surplus: string[];
  counts: Partial<RemapCounts>;
}

/** Compares what is made of an event now with the alerts that it has. No alert is lost because a mapping fails. */
export function decideRemap(event: NewEvent, stored: readonly Alert[]): RemapDecision {
  if (event.state === 'failed') {
    const write = stored.length > 0 ? null : event;
    return { write, surplus: [], counts: { events: 1, failed: 1 } };
  }
  const before = new Map(stored.map((alert) => [alert.id, alert]));
  const counts = { events: 1, alerts: event.alerts.length, added: 0, changed: 0, unchanged: 0, completed: 0 };
  for (const alert of event.alerts) {
    const old = before.get(alert.id);
    before.delete(alert.id);
    if (old?.state === 'incomplete' && alert.state === 'complete') counts.completed += 1;
    counts[old ? (isSame(alert, old) ? 'unchanged' : 'changed') : 'added'] += 1;
  }
  const surplus = [...before.keys()];
  return { write: event, surplus, counts: { ...counts, removed: surplus.length } };
}

/** Whether they say the same, whatever revision they are of. */
const isSame = (made: NewAlert, stored: Alert): boolean =>
  made.state === stored.state &&
  ALERT_FIELDS.every((field) => made[field] === stored[field]) &&
  (made.custom ?? '{}') === JSON.stringify(stored.custom) &&
  (made.faults ?? '[]') === JSON.stringify(stored.faults);
