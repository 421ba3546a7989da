import { hasSeriesIn, refoldAlertsIn } from '../../db/series/expired-series.js';
import type { Services } from '../run/services.js';
import { DAY_MS, type Expiry, expireByDay, inSteps, partitionSpan } from './expire-by-day.js';
import type { UpkeepTask } from './task.js';

export const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Removes events that are older than `EVENT_RETENTION_DAYS`. */
export const expireEvents: UpkeepTask = {
  name: 'expire events',
  run: (services) =>
    expireByDay(services, {
      table: 'events',
      days: services.settings.eventRetentionDays,
      keepsRows: async () => false,
      restoreRows: async () => {},
    }),
};

/**
 * Deletes the ids of deliveries whose events and alerts have expired, and can no longer be in a partition. Before that, a redelivery would be a second
 * event or alert with the same id.
 */
export const expireDeliveries: UpkeepTask = {
  name: 'expire deliveries',
  run: ({ database, settings: { eventRetentionDays, alertRetentionDays } }) => {
    const days = Math.max(eventRetentionDays, alertRetentionDays);
    const before = new Date(daysAgo(days).getTime() - partitionSpan(days));
    return inSteps(database, 'deliveries', { from: null, before });
  },
};

/** Deletes the confirmations of SNS subscriptions whose events have expired. */
export const expireSnsConfirmations: UpkeepTask = {
  name: 'expire SNS confirmations',
  run: ({ database, settings }) =>
    inSteps(database, 'sns_confirmations', { from: null, before: daysAgo(settings.eventRetentionDays) }),
};

/** Removes stand-alone alerts that are older than `ALERT_RETENTION_DAYS`. Alerts of series expire with their items. */
export const expireAlerts: UpkeepTask = {
  name: 'expire alerts',
  run: (services) => expireByDay(services, alertExpiry(services)),
};

export const alertExpiry = ({ settings }: Services): Expiry => ({
  table: 'alerts',
  days: settings.alertRetentionDays,
  keepsRows: hasSeriesIn,
  restoreRows: refoldAlertsIn,
});
