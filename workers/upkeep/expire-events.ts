import { deleteOldest, type ExpiringTable } from '../../db/events/expired-rows.js';
import type { Services } from '../run/services.js';
import type { UpkeepTask } from './task.js';

/** Rows per DELETE, which then holds its locks for some milliseconds. */
const ROWS = 1_000;
export const DAY_MS = 24 * 60 * 60 * 1_000;

export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Deletes events that are older than `EVENT_RETENTION_DAYS`. */
export const expireEvents: UpkeepTask = {
  name: 'expire events',
  run: (services) => expire(services, services.settings.eventRetentionDays, 'events'),
};

/** Deletes the confirmations of SNS subscriptions whose events have expired. */
export const expireSnsConfirmations: UpkeepTask = {
  name: 'expire SNS confirmations',
  run: (services) => expire(services, services.settings.eventRetentionDays, 'sns_confirmations'),
};

/** Deletes stand-alone alerts that are older than `ALERT_RETENTION_DAYS`. Alerts of series expire with their items. */
export const expireAlerts: UpkeepTask = {
  name: 'expire alerts',
  run: (services) => expire(services, services.settings.alertRetentionDays, 'alerts'),
};

/** Deletes the rows that are older than `days`, in batches, and yields the number of each. */
async function* expire(
  { database }: Services,
  days: number,
  table: ExpiringTable,
): AsyncGenerator<number, void> {
  const before = daysAgo(days);
  let from: Date | null = null;
  do {
    const deleted = await deleteOldest(database, table, { from, before }, ROWS);
    yield deleted.count;
    from = deleted.next;
  } while (from);
}
