import { ALERT_FIELDS } from '../definition/schema.js';
import type { CustomValue, Position, Rank, SeriesItem } from '../series/series-item.js';
import type { Status } from '../series/status-words.js';
import type { FieldResult, NormalizedAlert } from './results.js';

/** The rank of each kind of result. */
export const RANKS: Record<FieldResult['result'], Rank> = { missing: 0, defaulted: 1, resolved: 2 };

/** Returns what an alert with a `dedupKey` contributes to its series. */
export function toSeriesItem(
  { fields, custom, faults }: NormalizedAlert,
  { receivedAt, id }: Position,
  { status, revision }: { status: Status; revision: number },
): SeriesItem {
  return {
    receivedAt,
    id: id.toLowerCase(),
    status,
    revision,
    eventCount: 1,
    values: ALERT_FIELDS.map((name) => fields[name].value),
    ranks: ALERT_FIELDS.map((name) => RANKS[fields[name].result]),
    custom: customOf(custom, faults),
    errors: faults,
  };
}

/** Returns the custom fields that an item contributes to its series. */
export function customOf(
  custom: NormalizedAlert['custom'],
  errors: NormalizedAlert['faults'],
): ReadonlyMap<string, CustomValue> | null {
  let values: Map<string, CustomValue> | null = null;
  for (const name in custom) {
    const { value, result } = custom[name] as FieldResult;
    if (value === null && !errors.some(({ field }) => field === `custom.${name}`)) continue;
    values ??= new Map();
    values.set(name, { value, rank: RANKS[result] });
  }
  return values;
}
