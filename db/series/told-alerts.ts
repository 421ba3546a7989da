import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { readText } from '../client/statement.js';
import { type Alert, toAlert } from '../events/alerts/alerts.js';
import { receivedAmong } from '../events/newest-first.js';
import type { Transition } from '../outbox/outbox.js';
import { OWN_INTEGRATION } from '../outbox/own-integration.js';

/** Returns the alerts of transitions as they are stored now, by id. */
export async function alertsOf(
  database: Database,
  transitions: readonly Pick<Transition, 'alert'>[],
): Promise<Map<string, Alert>> {
  if (transitions.length === 0) return new Map();
  const times = transitions.map(({ alert }) => alert.receivedAt);
  const ids = transitions.map(({ alert }) => toUuidBinary(alert.id));
  const rows = await receivedAmong(database('alerts'), times).whereIn('id', ids);
  return new Map(rows.map(toAlert).map((alert) => [alert.id, alert]));
}

/** Returns the newest items of the latest alerts of series: the id of the item, by that of the alert. */
export async function newestItems(
  transaction: Knex.Transaction,
  seriesIds: readonly string[],
): Promise<Map<string, string>> {
  if (seriesIds.length === 0) return new Map();
  const rows = await readText<[alertId: Buffer | null, itemId: Buffer | null]>(
    transaction,
    'SELECT alert_id, alert_last_item FROM series WHERE id IN (?)',
    [seriesIds.map(toUuidBinary)],
  );
  return new Map(
    rows.flatMap(([alertId, itemId]) =>
      alertId && itemId ? [[fromUuidBinary(alertId), fromUuidBinary(itemId)]] : [],
    ),
  );
}

/** Returns the names of integrations, and whether they are muted now. */
export async function integrationsOf(
  database: Database,
  ids: readonly string[],
): Promise<Map<string, { name: string; isMuted: boolean }>> {
  const rows = await database('webhooks')
    .whereIn('id', [...ids])
    .select({
      id: 'id',
      name: 'name',
      isMuted: database.raw('muted_until IS NOT NULL AND muted_until > UTC_TIMESTAMP(3)'),
    });
  return new Map([
    [OWN_INTEGRATION.id, { name: OWN_INTEGRATION.name, isMuted: false }],
    ...rows.map(({ id, name, isMuted }) => [id, { name, isMuted: Number(isMuted) === 1 }] as const),
  ]);
}
