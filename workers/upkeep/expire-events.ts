import { hasSeriesIn, refoldAlertsIn } from '../../db/series/series-expiry.js';
import type { Services } from '../run/services.js';
import { type Expiry, expireByDay, inSteps, partitionSpan } from './expire-by-day.js';
import type { UpkeepTask } from './task.js';

/** Removes events that are older than `EVENT_RETENTION_DAYS`. */
export const expireEvents: UpkeepTask = {
  name: 'expire-events',
  run: (services, turn) =>
    expireByDay(services, turn, {
      table: 'events',
      subject: 'events',
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
  name: 'expire-deliveries',
  async *run({ database, settings: { eventRetentionDays, alertRetentionDays } }, turn) {
    const days = Math.max(eventRetentionDays, alertRetentionDays);
    const expiry = Math.min(+turn.expiry('events'), +turn.expiry('alerts'));
    const before = new Date(expiry - partitionSpan(days));
    yield* inSteps(database, 'deliveries', { from: null, before });
  },
};

/** Deletes the confirmations of SNS subscriptions whose events have expired. */
export const expireSnsConfirmations: UpkeepTask = {
  name: 'expire-sns-confirmations',
  async *run({ database }, turn) {
    yield* inSteps(database, 'sns_confirmations', { from: null, before: turn.expiry('events') });
  },
};

/** Removes stand-alone alerts that are older than `ALERT_RETENTION_DAYS`. Alerts of series expire with their items. */
export const expireAlerts: UpkeepTask = {
  name: 'expire-alerts',
  run: (services, turn) => expireByDay(services, turn, alertExpiry(services)),
};

export const alertExpiry = ({ settings }: Services): Expiry => ({
  table: 'alerts',
  subject: 'alerts',
  days: settings.alertRetentionDays,
  keepsRows: hasSeriesIn,
  restoreRows: refoldAlertsIn,
});
