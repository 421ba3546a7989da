import { eventIdOf } from '../../../../db/events/alerts/alert-id.js';
import type { Alert } from '../../../../db/events/alerts/alerts.js';
import { latestAlertOf } from '../../../../db/series/latest-alert.js';
import { truncate } from '../../../../workers/mapping/index.js';
import { invalidEvent, type Received } from '../dialect.js';
import { identifierIn } from '../identifier-in.js';
import { isId, ownAlert, sendAgain, storedRequest } from '../stored-request.js';

/** How an identifier in a path names an alert. Ids and tiny ids are the same here. */
const TYPES = ['id', 'alias', 'tiny'];

/** Returns the deduplication key that an alias becomes. */
export const keyOfAlias = (alias: string): string => truncate(alias.trim(), 'key');

/** @throws RequestError 422 for a type that does not exist */
function typeOf({ address }: Pick<Received, 'address'>): string {
  const type = String(address.query.identifierType ?? 'id').toLowerCase();
  if (TYPES.includes(type)) return type;
  throw invalidEvent(422, [{ field: 'identifierType', message: `should be one of [ ${TYPES.join(', ')} ]` }]);
}

/**
 * Returns the alias that a request means. An id is that of an alert, or of the request that created it. One that is neither is an alias: clients forget to
 * say so.
 */
export async function aliasOf(received: Received): Promise<string> {
  const identifier = identifierIn(received.captures);
  if (typeOf(received) === 'alias' || !isId(identifier)) return identifier;
  const alert = await ownAlert(received, identifier);
  if (alert) return aliasOfAlert(received, alert);
  const created = await storedRequest(received, eventIdOf(identifier.toLowerCase())).catch(sendAgain);
  return typeof created?.body.alias === 'string' ? created.body.alias : identifier;
}

/** Returns the alias as it was sent: the key of the alert may be a part of it. An alert is kept for longer than its events. */
async function aliasOfAlert(received: Received, { id, dedupKey }: Alert): Promise<string> {
  const created = await storedRequest(received, eventIdOf(id), 0).catch(() => null);
  return typeof created?.body.alias === 'string' ? created.body.alias : (dedupKey ?? id);
}

/** Returns the alert that a request means; null if the integration has none. */
export async function alertOf(received: Received): Promise<{ alias: string; alert: Alert } | null> {
  const { services, target } = received;
  const identifier = identifierIn(received.captures);
  const exact =
    typeOf(received) !== 'alias' && isId(identifier) ? await ownAlert(received, identifier) : null;
  if (exact) return { alias: await aliasOfAlert(received, exact), alert: exact };
  const alias = await aliasOf(received);
  const alert = await latestAlertOf(services.database, target.webhook.id, keyOfAlias(alias));
  return alert && { alias, alert };
}
