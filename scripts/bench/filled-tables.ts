import type { Database } from '../../db/client/connect.js';
import { listPartitions } from '../../db/events/day-partitions.js';
import { ALERT } from './load.js';

/** Rows in a statement. The sequence engine is part of MariaDB. */
const ROWS = 100_000;
const YEARS_AGO_MS = 3 * 365 * 86_400_000;
/** Integrations that the rows belong to. */
const WEBHOOKS = 100;

/** When rows arrived: a time in milliseconds since 1970, and the milliseconds between two of them. */
interface Arrival {
  from: number;
  everyMs: number;
}

const millisecondsOf = ({ from, everyMs }: Arrival): string => `FLOOR(${from} + seq * ${everyMs})`;
const timeOf = (when: Arrival): string => `FROM_UNIXTIME(${millisecondsOf(when)} / 1000)`;

/** Returns the time, the id and the integration of a row in SQL. */
function arrival({ from, everyMs }: Arrival): string {
  const ms = millisecondsOf({ from, everyMs });
  // A UUID of version 7. Cursors are rejected if the variant after it is not '8' to 'b'.
  const random = 'HEX(RANDOM_BYTES(8))';
  const id = `UNHEX(CONCAT(LPAD(HEX(${ms}), 12, '0'), '7', SUBSTR(${random}, 1, 3), '8', SUBSTR(${random}, 1, 15)))`;
  return `${timeOf({ from, everyMs })}, ${id}, UNHEX(MD5(seq MOD ${WEBHOOKS}))`;
}

/** Lets the server insert alerts with a severity and a team. */
export async function insertAlerts(
  database: Database,
  rows: number,
  when: Arrival,
  { severity, team } = { severity: 'critical', team: 'platform' },
): Promise<void> {
  await database.raw(
    `INSERT INTO alerts (received_at, id, webhook_id, state, revision, title, severity, severity_rank, last_event_at, description, source, service, environment, team)
     SELECT ${arrival(when)}, 'complete', 1, 'High CPU Usage', ?, IF(? = 'critical', 400, 0), ${timeOf(when)}, 'CPU usage above 90%', 'generic', 'payment-api', 'production', ?
     FROM seq_1_to_${rows}`,
    [severity, severity, team],
  );
}

/** Lets the server fill `events` and `alerts` with rows that have expired, a millisecond apart. */
export const fillExpired = (database: Database, rows: number): Promise<void> =>
  fillArrived(database, rows, Date.now() - YEARS_AGO_MS);

/** Gives the rows of `fillExpired` a partition of their own, as if upkeep had made it before they arrived. */
export async function separateExpired(database: Database): Promise<void> {
  const date = new Date(Date.now() - (YEARS_AGO_MS * 2) / 3).toISOString().slice(0, 10);
  for (const table of ['events', 'alerts'] as const) {
    const [first] = await listPartitions(database, table);
    const end = first?.before ? `('${first.before.toISOString().slice(0, 10)}')` : '(MAXVALUE)';
    await database.raw(
      `ALTER TABLE ${table} REORGANIZE PARTITION ${first?.name} INTO (
        PARTITION before_${date.replaceAll('-', '')} VALUES LESS THAN ('${date}'), PARTITION ${first?.name} VALUES LESS THAN ${end})`,
    );
  }
}

/**
 * Lets the server fill `events` and `alerts` with rows of several integrations, with ids as the API makes them.
 * @param from time of the first row, in milliseconds since 1970
 * @param everyMs milliseconds between two rows
 */
export async function fillArrived(
  database: Database,
  rows: number,
  from: number,
  everyMs = 1,
): Promise<void> {
  for (let done = 0; done < rows; done += ROWS) {
    const count = Math.min(ROWS, rows - done);
    const when = { from: from + done * everyMs, everyMs };
    await database.raw(
      `INSERT INTO events (received_at, id, webhook_id, state, revision, alert_count, raw)
       SELECT ${arrival(when)}, 'normalized', 1, 1, ? FROM seq_1_to_${count}`,
      [ALERT],
    );
    await insertAlerts(database, count, when);
  }
}

const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `SELECT ${digit} AS digit`).join(' UNION ALL ');
const PLACES = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * Lets the server fill the table: 23 account systems, 100,000 developers. Of 100 identities 85 are plain, 5 contain quotes and
 * commas, 5 are not ASCII and 5 start like a formula.
 */
export async function fillIdentities(database: Database, rows: number): Promise<void> {
  const numbers = PLACES.map((place) => `(${DIGITS}) d${place}`).join(' CROSS JOIN ');
  const n = PLACES.map((place) => `d${place}.digit * ${10 ** place}`).join(' + ');
  await database.raw(
    `INSERT INTO identities (integration_id, identity, email, asserted_by, created_at, updated_at)
     SELECT 1 + n MOD 23,
       CASE n MOD 20 WHEN 0 THEN CONCAT('Kim, "the ', n, '."') WHEN 1 THEN CONCAT('用户-', n)
         WHEN 2 THEN CONCAT('=', n) ELSE CONCAT('octo-cat-', n) END,
       CONCAT('first.last', n MOD 99991, '@team-', n MOD 17, '.example.com'), 1, t, t
     FROM (SELECT n, '2026-01-01' + INTERVAL (n * 7919) MOD 8640000 SECOND AS t
       FROM (SELECT ${n} AS n FROM ${numbers}) every WHERE n < ?) numbered`,
    [rows],
  );
  await database.raw('ANALYZE TABLE identities');
}
