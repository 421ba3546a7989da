import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { type Alert, findAlert } from '../events/alerts/alerts.js';
import { seriesId } from './series.js';

/** Returns the latest alert with a key of an integration; null if there was none. */
export async function latestAlertOf(
  database: Database,
  webhookId: string,
  dedupKey: string,
): Promise<Alert | null> {
  const id = toUuidBinary(seriesId(webhookId, dedupKey));
  const series = await database('series').where({ id }).first('alert_id');
  return series?.alert_id ? findAlert(database, fromUuidBinary(series.alert_id)) : null;
}
