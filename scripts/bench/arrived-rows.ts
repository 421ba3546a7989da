import type { Database } from '../../db/client/connect.js';
import { listPartitions } from '../../db/events/day-partitions.js';
import { ALERT } from './alert.js';

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

/** Returns the time, the id and the integration of a row in SQL. */
function arrival({ from, everyMs }: Arrival): string {
  const ms = `FLOOR(${from} + seq * ${everyMs})`;
  // A UUID of version 7. Cursors are rejected if the variant after it is not '8' to 'b'.
  const random = 'HEX(RANDOM_BYTES(8))';
  const id = `UNHEX(CONCAT(LPAD(HEX(${ms}), 12, '0'), '7', SUBSTR(${random}, 1, 3), '8', SUBSTR(${random}, 1, 15)))`;
  return `FROM_UNIXTIME(${ms} / 1000), ${id}, UNHEX(MD5(seq MOD ${WEBHOOKS}))`;
}

/** Lets the server insert alerts with a severity and a team. */
export async function insertAlerts(
  database: Database,
  rows: number,
  when: Arrival,
  { severity, team } = { severity: 'critical', team: 'platform' },
): Promise<void> {
  await database.raw(
    `INSERT INTO alerts (received_at, id, webhook_id, state, revision, title, severity, description, source, service, environment, team)
     SELECT ${arrival(when)}, 'complete', 1, 'High CPU Usage', ?, 'CPU usage above 90%', 'generic', 'payment-api', 'production', ?
     FROM seq_1_to_${rows}`,
    [severity, team],
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
