import { uuidv7 } from 'uuidv7';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import type { Database } from '../../../db/client/connect.js';
import { eventIdOf, toEventId } from '../../../db/events/alert-id.js';
import { seriesId } from '../../../db/series/series-id.js';
import {
  foldItems,
  NO_ITEMS,
  resolvedAt,
  type SeriesItem,
  type Status,
} from '../../../workers/mapping/index.js';

/** An item as a test describes it: its status, and when it was received in milliseconds after `SERIES_START`. */
export interface ItemSketch {
  id: string;
  status: Status;
  at: number;
  title?: string;
}

export const SERIES_START = Date.UTC(2026, 0, 1);

/** Returns a random id of an item: the first or a later one of its event. */
export const itemId = (number = 0): string => alertIn(toEventId(uuidv7()), number);

/** Returns the id of an item of an event. */
export const alertIn = (eventId: string, number: number): string =>
  eventId.slice(0, -3) + (number + 1).toString(16).padStart(3, '0');

/** Stores the items of a series with their events, and the alerts that folding the items gives. */
export async function storeSeries(
  database: Database,
  webhookId: string,
  dedupKey: string,
  sketches: readonly ItemSketch[],
): Promise<void> {
  const webhook_id = toUuidBinary(webhookId);
  const series_id = toUuidBinary(seriesId(webhookId, dedupKey));
  const items = sketches.map(toItem);
  const { occurrences, state } = foldItems(NO_ITEMS, items);
  const common = { state: 'complete', revision: 1 };
  await database('events')
    .insert(
      items.map((item) => ({
        received_at: new Date(item.receivedAt),
        id: toUuidBinary(eventIdOf(item.id)),
        webhook_id,
        state: 'normalized',
        revision: 1,
        alert_count: 1,
        keyed_count: 1,
        raw: '{}',
      })),
    )
    .onConflict('id')
    .merge({ alert_count: database.raw('alert_count + 1'), keyed_count: database.raw('keyed_count + 1') });
  await database('series_items').insert(
    items.map((item) => ({
      ...common,
      received_at: new Date(item.receivedAt),
      id: toUuidBinary(item.id),
      series_id,
      status: item.status,
      title: item.values[0],
      ranks: '',
    })),
  );
  const alerts = occurrences.map((occurrence) => {
    const resolved = resolvedAt(occurrence);
    return {
      ...common,
      received_at: new Date(occurrence.receivedAt),
      id: toUuidBinary(occurrence.id),
      webhook_id,
      dedup_key: dedupKey,
      title: occurrence.providers[0]?.values[0],
      last_event_at: new Date(occurrence.newest.receivedAt),
      resolved_at: resolved === null ? null : new Date(resolved),
      event_count: occurrence.eventCount,
      previous_alert_id: occurrence.previousAlertId && toUuidBinary(occurrence.previousAlertId),
    };
  });
  if (alerts.length > 0) await database('alerts').insert(alerts);
  const places = alerts.map(({ received_at, id }) => ({ series_id, received_at, alert_id: id }));
  if (places.length > 0) await database('series_alerts').insert(places);
  const latest = alerts.at(-1);
  await database('series').insert({
    id: series_id,
    webhook_id,
    dedup_key: dedupKey,
    firing: latest?.resolved_at === null,
    alert_received_at: latest?.received_at,
    alert_id: latest?.id,
    event_count: latest?.event_count ?? 0,
    previous_alert_id: latest?.previous_alert_id,
    last_received_at: state.newest && new Date(state.newest.receivedAt),
  });
}

const toItem = ({ id, status, at, title }: ItemSketch): SeriesItem => ({
  receivedAt: SERIES_START + at,
  id,
  status,
  revision: 1,
  eventCount: 1,
  values: [title ?? null],
  ranks: [title === undefined ? 0 : 2],
  custom: null,
  errors: [],
});
