import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { Deadline } from '../client/deadline.js';
import { alertId, eventIdOf, lastAlertId } from '../events/alerts/alert-id.js';
import type { TimePosition } from '../events/newest-first.js';
import { findKeyedItems } from './keyed-items.js';

const WITHIN_MS = 60_000;

/** Returns the ids of those events that have an item in an incomplete alert. */
export async function eventsOfIncompleteAlerts(
  database: Database,
  events: readonly TimePosition[],
): Promise<Set<string>> {
  const places = events.map(({ receivedAt, id }) => ({
    receivedAt,
    first: alertId(id, 0),
    last: lastAlertId(id),
  }));
  const items = await findKeyedItems(database, places, new Deadline(WITHIN_MS));
  const parts = items.filter(
    ({ status, wasFiring }) => !status.startsWith('-') && (status !== 'resolved' || wasFiring),
  );
  const alertIds = [...new Set(parts.flatMap((item) => item.alertId ?? []))];
  const rows = await database('alerts')
    .whereIn('id', alertIds.map(toUuidBinary))
    .where('state', 'incomplete')
    .select('id');
  const incomplete = new Set(rows.map(({ id }) => fromUuidBinary(id)));

  return new Set(parts.filter((item) => incomplete.has(item.alertId ?? '')).map(({ id }) => eventIdOf(id)));
}
