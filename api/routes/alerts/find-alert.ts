import type { Database } from '../../../db/client/connect.js';
import { eventIdOf } from '../../../db/events/alerts/alert-id.js';
import { type Alert, findAlert } from '../../../db/events/alerts/alerts.js';
import { findEvent } from '../../../db/events/events.js';
import { notFound } from '../../http/errors.js';
import { alertOfItem } from '../events/outcomes.js';

/**
 * Returns the alert with an id, or the one that the item with this id belongs to: an event that is stored late may become the first
 * of an alert, whose id then changes. Such an id is found until its event expires.
 * @throws RequestError 404 `not_found`, 503 `search_too_slow` if that takes the database longer than 5 s
 */
export async function requireAlert(database: Database, id: string): Promise<Alert> {
  const alert = (await findAlert(database, id)) ?? (await findAlertOfItem(database, id));
  if (!alert) throw notFound('alert');
  return alert;
}

async function findAlertOfItem(database: Database, id: string): Promise<Alert | null> {
  const found = await findEvent(database, eventIdOf(id));
  if (!found) return null;
  const alert = await alertOfItem(database, found.event, id);
  return alert === null ? null : findAlert(database, alert);
}
