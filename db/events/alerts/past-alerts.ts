import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../../client/connect.js';
import type { Deadline } from '../../client/deadline.js';
import { tableByIndex } from '../../client/driver.js';
import { orderByKeyset } from '../../client/keyset.js';
import { selectWithin } from '../../client/limit-time.js';
import { whereWebhook } from '../filter-values.js';
import { arrivalKeyset, type TimePosition } from '../newest-first.js';
import { type Alert, toAlert } from './alerts.js';

interface PastAlerts {
  /** Null: all. */
  webhookIds: readonly string[] | null;
  /** The earliest time at which they opened. */
  from: Date;
  order: 'asc' | 'desc';
  after?: TimePosition | null;
  limit: number;
}

/**
 * Returns a page of alerts in the order in which they opened, without tests.
 * @throws an error for which `isTooSlow` is true after the deadline
 */
export async function pastAlerts(
  database: Database,
  { webhookIds, from, order, after, limit }: PastAlerts,
  deadline: Deadline,
): Promise<Alert[]> {
  const query = database(
    tableByIndex(database, 'alerts', webhookIds?.length === 1 ? 'by_webhook' : 'PRIMARY'),
  )
    .where('received_at', '>=', from)
    .where((one) => one.whereNull('is_test').orWhere('is_test', 0))
    .limit(limit);
  whereWebhook(query, 'webhook_id', webhookIds ?? undefined);
  orderByKeyset(query, arrivalKeyset(order, after));
  return (await selectWithin<Tables['alerts']>(database, query, deadline.leftMs())).map(toAlert);
}
