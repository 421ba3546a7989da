import type { Alert } from '../../../db/events/alerts/alerts.js';
import type { NewAlert, NewEvent, NewItem } from '../../../db/events/new-event.js';
import type { StoredEventItem } from '../../../db/series/event-items.js';
import { ALERT_FIELDS, statusOfStored } from '../../mapping/index.js';
import type { EventContent } from './compare-event.js';

/** How an alert, or what an event contributes to one, would differ. */
export interface Difference {
  id: string;
  change: 'added' | 'changed' | 'removed';
  fields: readonly { field: string; before: string | null; after: string | null }[];
}

/** Returns what would change of the alerts and items of an event. Nothing does if the mapping fails. */
export function differencesOf(event: NewEvent, { alerts, items }: EventContent): Difference[] {
  if (event.state === 'failed') return [];
  const before = new Map([...alerts, ...items].map((one) => [one.id, valuesOf(one)]));
  const after = new Map([...event.alerts, ...event.items].map((one) => [one.id, valuesOf(one)]));
  const ids = [...new Set([...before.keys(), ...after.keys()])];
  return ids.flatMap((id): Difference | [] => {
    const [was, is] = [before.get(id), after.get(id)];
    const fields = NAMES.map((field) => ({
      field,
      before: was?.get(field) ?? null,
      after: is?.get(field) ?? null,
    })).filter((one) => one.before !== one.after);
    const change = was === undefined ? 'added' : is === undefined ? 'removed' : 'changed';
    return fields.length === 0 ? [] : { id, change, fields };
  });
}

/** Shown first is what decides who is told. */
const NAMES = ['state', 'status', 'dedupKey', ...ALERT_FIELDS, 'custom'] as const;

function valuesOf(one: Alert | StoredEventItem | NewAlert | NewItem): ReadonlyMap<string, string | null> {
  const item = 'seriesId' in one ? one : null;
  const custom = typeof one.custom === 'string' ? one.custom : JSON.stringify(one.custom ?? {});
  return new Map([
    ['state', one.state],
    ['status', item && statusOfStored(item.status)],
    ['dedupKey', item?.dedupKey ?? null],
    ['custom', custom === '{}' ? null : custom],
    ...ALERT_FIELDS.map((field) => [field, one[field]] as const),
  ]);
}
