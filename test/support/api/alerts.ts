import type { Database } from '../../../db/client/connect.js';
import { sequence } from '../sequence.js';

/** The n-th integration of `fillAlerts`. */
export const webhookNumber = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** When the n-th alert of `fillAlerts` was received: one per second. */
export const arrivalNumber = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 1_000);

/**
 * Fills the tables with events of one alert each, made by the server itself: 50 integrations in turn, of 20 alerts one
 * incomplete, its event failed. The tables must be empty: without checks, MariaDB then sorts each index once instead of adding to it row by
 * row, which takes a third less CPU time.
 */
export async function fillAlerts(database: Database, count: number): Promise<void> {
  await database.transaction(async (trx) => {
    await trx.raw('SET unique_checks = 0, foreign_key_checks = 0');
    await insertAlerts(trx, count);
    await trx.raw('SET unique_checks = 1, foreign_key_checks = 1');
  });
  await database.raw('ANALYZE TABLE alerts, events');
}

async function insertAlerts(database: Database, count: number): Promise<void> {
  await database.raw(
    `INSERT INTO alerts (received_at, id, webhook_id, state, revision, title, severity, severity_rank, last_event_at, description, source)
     SELECT ? + INTERVAL seq SECOND, UNHEX(CONCAT('00000000000070008000', LPAD(HEX(seq), 12, '0'))),
       UNHEX(CONCAT('00000000000070008000', LPAD(seq MOD 50, 12, '0'))),
       IF(seq DIV 50 MOD 20 = 0, 'incomplete', 'complete'), 1, CONCAT('CPU of web-', seq),
       ELT(1 + seq MOD 3, 'critical', 'warning', 'info'), ELT(1 + seq MOD 3, 400, 200, 100),
       ? + INTERVAL seq SECOND, 'above 90% for five minutes', 'test'
     FROM ${sequence(count)}`,
    [arrivalNumber(0), arrivalNumber(0)],
  );
  await database.raw(
    `INSERT INTO events (received_at, id, webhook_id, state, revision, alert_count, raw)
     SELECT received_at, id, webhook_id, IF(state = 'complete', 'normalized', 'failed'), 1, 1, '{}' FROM alerts`,
  );
}

/** Series of `fillSeries`. */
export const SERIES = 20_000;

/**
 * Gives the alerts of `fillAlerts` keys: `key-N` to every 20,000th alert from the N-th on. They are resolved after a minute, but the last
 * one of every 200th key fires.
 */
export async function fillSeries(database: Database): Promise<void> {
  const number = 'CONV(RIGHT(HEX(id), 12), 16, 10)';
  await database.raw(
    `UPDATE alerts SET dedup_key = CONCAT('key-', ${number} MOD ${SERIES}), event_count = 2,
       last_event_at = received_at + INTERVAL 1 MINUTE, resolved_at = received_at + INTERVAL 1 MINUTE, duration_ms = 60000,
       previous_alert_id = IF(${number} > ${SERIES},
         UNHEX(CONCAT('00000000000070008000', LPAD(HEX(${number} - ${SERIES}), 12, '0'))), NULL)`,
  );
  await database.raw(
    `INSERT INTO series_alerts (series_id, received_at, alert_id)
     SELECT UNHEX(LEFT(SHA2(dedup_key, 256), 32)), received_at, id FROM alerts`,
  );
  await database.raw(
    `UPDATE alerts JOIN (SELECT MAX(received_at) AS last FROM series_alerts GROUP BY series_id) AS series
       ON alerts.received_at = series.last
     SET resolved_at = NULL, duration_ms = NULL WHERE ${number} MOD 200 = 7`,
  );
  await database.raw(
    `INSERT INTO series (id, webhook_id, dedup_key, firing, alert_received_at, alert_id, event_count, previous_alert_id, severity)
     SELECT UNHEX(LEFT(SHA2(dedup_key, 256), 32)), webhook_id, dedup_key, resolved_at IS NULL, received_at, id, event_count,
       previous_alert_id, severity
     FROM alerts JOIN (SELECT MAX(received_at) AS last FROM series_alerts GROUP BY series_id) AS latest
       ON alerts.received_at = latest.last`,
  );
  await database.raw('ANALYZE TABLE alerts, series, series_alerts');
}
