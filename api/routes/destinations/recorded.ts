import type { Database } from '../../../db/client/connect.js';
import { type Destination, findDestination } from '../../../db/outbox/destinations.js';
import { type Changed, changed, Sealed } from '../../audit/changed.js';
import { settingsOf } from './present.js';

/** Returns what the audit log says of a destination: its settings, without its URL, secrets and the values of its headers. */
const toRecorded = (destination: Destination) => ({
  ...settingsOf(destination),
  host: destination.host,
  url: new Sealed(destination.url),
  secret: Sealed.of(destination.secret),
  headers: Sealed.of(destination.headers),
  webhookIds: destination.webhookIds,
  pausedAt: destination.pausedAt,
});

/**
 * Returns the entry of a change of a destination, which has been made.
 * @param before as it was; null if it is new
 */
export async function recordedChange(database: Database, id: string, before: Destination | null) {
  const after = await findDestination(database, id);
  const what: Changed = ['destination', id, (after ?? before)?.name ?? null];
  return changed(what, before && toRecorded(before), after && toRecorded(after));
}
