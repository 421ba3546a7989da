import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import type { Deadline } from '../client/deadline.js';
import { selectWithin } from '../client/limit-time.js';
import { itemsAt } from './alert-items.js';
import { type SeriesPosition, seriesId } from './series.js';
import type { ItemRow } from './series-items.js';

interface SeriesRow {
  alert_id: Buffer | null;
  alert_last_received_at: Date | null;
  alert_last_item: Buffer | null;
  providers: string | null;
  refold_from: Date | null;
}

/**
 * Returns the newest item of the latest alert of a series, and the items that its texts come from, the newest first. The series names them,
 * so they are found however many items the alert has. Returns null if the alert is not the latest, or must be folded again.
 */
export async function itemsOfLatestAlert(
  database: Database,
  { id, webhookId, seriesKey }: { id: string; webhookId: string; seriesKey: string },
  deadline: Deadline,
): Promise<ItemRow[] | null> {
  const find = database('series')
    .where('id', toUuidBinary(seriesId(webhookId, seriesKey)))
    .select('alert_id', 'alert_last_received_at', 'alert_last_item', 'providers', 'refold_from');
  const [series] = await selectWithin<SeriesRow>(database, find, deadline.leftMs());
  const places = series && placesOf(series, id);
  if (!places) return null;
  const rows = await itemsAt(database, places, deadline);
  return rows.length === places.length ? rows : null;
}

/** Returns the places of the items of an alert; null if the series does not say where they are. */
function placesOf(series: SeriesRow, alert: string): SeriesPosition[] | null {
  const { alert_id, alert_last_received_at, alert_last_item, providers, refold_from } = series;
  if (!alert_id || !alert_last_received_at || !alert_last_item || providers === null || refold_from)
    return null;
  if (fromUuidBinary(alert_id) !== alert) return null;
  // If all texts come from the newest item, the column has only their ranks, which start with a digit.
  const others: [number, string][] = providers.startsWith('{') ? JSON.parse(providers).items : [];
  return [
    { receivedAt: alert_last_received_at.getTime(), id: fromUuidBinary(alert_last_item) },
    ...others.map(([receivedAt, id]) => ({ receivedAt, id })),
  ];
}
