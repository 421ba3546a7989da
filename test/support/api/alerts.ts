import type { Database } from '../../../db/client/connect.js';

/** The n-th integration of `fillAlerts`. */
export const webhookNumber = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** When the n-th alert of `fillAlerts` was received: one per second. */
export const arrivalNumber = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 1_000);

/**
 * Fills the tables with events of one alert each, made by the server itself: 50 integrations in turn, of 20 alerts one
 * incomplete, its event failed.
 */
export async function fillAlerts(database: Database, count: number): Promise<void> {
  await database.raw(
    `INSERT INTO alerts (received_at, id, webhook_id, state, revision, title, severity, description, source)
     SELECT ? + INTERVAL seq SECOND, UNHEX(CONCAT('00000000000070008000', LPAD(HEX(seq), 12, '0'))),
       UNHEX(CONCAT('00000000000070008000', LPAD(seq MOD 50, 12, '0'))),
       IF(seq DIV 50 MOD 20 = 0, 'incomplete', 'complete'), 1, CONCAT('CPU of web-', seq),
       ELT(1 + seq MOD 3, 'critical', 'warning', 'info'), 'above 90% for five minutes', 'test'
     FROM seq_1_to_${count}`,
    [arrivalNumber(0)],
  );
  await database.raw(
    `INSERT INTO events (received_at, id, webhook_id, state, revision, alert_count, raw)
     SELECT received_at, id, webhook_id, IF(state = 'complete', 'normalized', 'failed'), 1, 1, '{}' FROM alerts`,
  );
  await database.raw('ANALYZE TABLE alerts, events');
}
