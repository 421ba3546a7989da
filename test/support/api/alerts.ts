import type { Database } from '../../../db/client/connect.js';
import { sequence } from '../sequence.js';

/** The n-th integration of `fillAlerts`. */
export const webhookNumber = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** When the n-th alert of `fillAlerts` was received: one per second. */
export const arrivalNumber = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 1_000);

/**
 * Fills the tables with events of one alert each, made by the server itself: 50 integrations in turn, of 20 alerts one
 * incomplete, its event failed.
 */
export const fillAlerts = (database: Database, count: number): Promise<void> => fill(database, count, {});

/** Series of `fillSeries`. */
const SERIES = 20_000;

/**
 * Does the same, and gives the alerts keys: `key-N` to every 20,000th alert from the N-th on. They are resolved after a minute, but the last
 * one of every 200th key fires.
 */
export async function fillSeries(database: Database, count: number): Promise<void> {
  const isFiring = `seq > ${count - SERIES} AND seq MOD 200 = 7`;
  await fill(database, count, {
    dedup_key: `CONCAT('key-', seq MOD ${SERIES})`,
    event_count: '2',
    last_event_at: `${RECEIVED_AT} + INTERVAL 1 MINUTE`,
    resolved_at: `IF(${isFiring}, NULL, ${RECEIVED_AT} + INTERVAL 1 MINUTE)`,
    duration_ms: `IF(${isFiring}, NULL, 60000)`,
    previous_alert_id: `IF(seq > ${SERIES}, ${uuid(`HEX(seq - ${SERIES})`)}, NULL)`,
  });
  await database.raw(
    `INSERT INTO series_alerts (series_id, received_at, alert_id)
     SELECT UNHEX(LEFT(SHA2(dedup_key, 256), 32)), received_at, id FROM alerts`,
  );
  await database.raw(
    `INSERT INTO series (id, webhook_id, dedup_key, firing, alert_received_at, alert_id, event_count, previous_alert_id, severity)
     SELECT UNHEX(LEFT(SHA2(dedup_key, 256), 32)), webhook_id, dedup_key, resolved_at IS NULL, received_at, id, event_count,
       previous_alert_id, severity
     FROM alerts WHERE received_at > ?`,
    [arrivalNumber(count - SERIES)],
  );
  await database.raw('ANALYZE TABLE series, series_alerts');
}

const RECEIVED_AT = `FROM_UNIXTIME(${arrivalNumber(0).getTime() / 1_000} + seq)`;

/** SQL of the id that `webhookNumber` returns. */
const uuid = (digits: string): string => `UNHEX(CONCAT('00000000000070008000', LPAD(${digits}, 12, '0')))`;

/**
 * Inserts alerts with these columns besides the usual ones, and their events. Into empty tables: without checks, MariaDB then sorts each
 * index once instead of adding to it row by row, which takes a third less CPU time.
 */
async function fill(database: Database, count: number, more: Record<string, string>): Promise<void> {
  const columns = {
    received_at: RECEIVED_AT,
    id: uuid('HEX(seq)'),
    webhook_id: uuid('seq MOD 50'),
    state: "IF(seq DIV 50 MOD 20 = 0, 'incomplete', 'complete')",
    revision: '1',
    title: "CONCAT('CPU of web-', seq)",
    severity: "ELT(1 + seq MOD 3, 'critical', 'warning', 'info')",
    severity_rank: 'ELT(1 + seq MOD 3, 400, 200, 100)',
    last_event_at: RECEIVED_AT,
    description: "'above 90% for five minutes'",
    source: "'test'",
    ...more,
  };
  await database.transaction(async (trx) => {
    await trx.raw('SET unique_checks = 0, foreign_key_checks = 0');
    await trx.raw(
      `INSERT INTO alerts (${Object.keys(columns)}) SELECT ${Object.values(columns)} FROM ${sequence(count)}`,
    );
    await trx.raw(
      `INSERT INTO events (received_at, id, webhook_id, state, revision, alert_count, raw)
       SELECT received_at, id, webhook_id, IF(state = 'complete', 'normalized', 'failed'), 1, 1, '{}' FROM alerts`,
    );
    await trx.raw('SET unique_checks = 1, foreign_key_checks = 1');
  });
  await database.raw('ANALYZE TABLE alerts, events');
}
