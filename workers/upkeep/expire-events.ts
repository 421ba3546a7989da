import { hasSeriesIn, refoldAlertsIn } from '../../db/series/expired-series.js';
import type { Services } from '../run/services.js';
import { DAY_MS, type Expiry, expireByDay, inSteps } from './expire-by-day.js';
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

/** Deletes what is kept with events, by the time when the event was received. */
const expireWithEvents = (name: string, table: 'deliveries' | 'sns_confirmations'): UpkeepTask => ({
  name,
  run: ({ database, settings }: Services) =>
    inSteps(database, table, { from: null, before: daysAgo(settings.eventRetentionDays) }),
});

/** Deletes the ids of deliveries whose events have expired. */
export const expireDeliveries = expireWithEvents('expire deliveries', 'deliveries');

/** Deletes the confirmations of SNS subscriptions whose events have expired. */
export const expireSnsConfirmations = expireWithEvents('expire SNS confirmations', 'sns_confirmations');

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
