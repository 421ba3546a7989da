import type { Database } from '../../db/client/connect.js';
import { deleteAlertsBefore, deleteEventsBefore } from '../../db/events/events.js';
import { deleteSnsConfirmationsBefore } from '../../db/events/sns-confirmations.js';
import { pauseWithin } from '../run/retry-while-unavailable.js';
import type { Services } from '../run/services.js';
import type { UpkeepTask } from './task.js';

/** Rows per DELETE, which then holds its locks for some milliseconds. */
const ROWS = 1_000;
/** Limit of one turn. With one turn a minute, that is 20 million rows a day. */
const MAX_ROUNDS = 15;
const PAUSE_MS = 50;
export const DAY_MS = 24 * 60 * 60 * 1_000;

type Delete = (database: Database, before: Date, limit: number) => Promise<number>;

/** Deletes events that are older than `EVENT_RETENTION_DAYS`. */
export const expireEvents: UpkeepTask = {
  name: 'expire events',
  run: (services) => expire(services, services.settings.eventRetentionDays, deleteEventsBefore),
};

/** Deletes the confirmations of SNS subscriptions whose events have expired. */
export const expireSnsConfirmations: UpkeepTask = {
  name: 'expire SNS confirmations',
  run: (services) => expire(services, services.settings.eventRetentionDays, deleteSnsConfirmationsBefore),
};

/** Deletes stand-alone alerts that are older than `ALERT_RETENTION_DAYS`. */
export const expireAlerts: UpkeepTask = {
  name: 'expire alerts',
  run: (services) => expire(services, services.settings.alertRetentionDays, deleteAlertsBefore),
};

/** Deletes the rows that are older than `days`, in batches. Returns their number. */
export async function expire({ database, closing }: Services, days: number, remove: Delete): Promise<number> {
  const before = new Date(Date.now() - days * DAY_MS);
  let total = 0;
  for (let round = 0; round < MAX_ROUNDS && !closing.aborted; round++) {
    const removed = await remove(database, before, ROWS);
    total += removed;
    if (removed < ROWS) break;
    await pauseWithin(closing, PAUSE_MS);
  }
  return total;
}
