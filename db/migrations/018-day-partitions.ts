import type { Knex } from 'knex';
import type { MigrationRun } from './migration-run.js';
import { midnightAfter, partitionClause, partitionTable } from './partition-table.js';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const BINARY_ID = 'BINARY(16)';

/**
 * The ids that senders gave to their deliveries, so that an event that is delivered again is stored once: in tables with partitions, `id` cannot
 * be unique across days.
 */
const DELIVERIES = `CREATE TABLE IF NOT EXISTS deliveries (
  id ${BINARY_ID} NOT NULL PRIMARY KEY,
  received_at DATETIME(3) NOT NULL,
  KEY by_received_at (received_at, id)) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`;

/** With `id`, an index of a partitioned table has the order of the lists. The rows of the index are not larger: it contains the primary key anyway. */
const KEYS = {
  by_id: '(id)',
  by_webhook: '(webhook_id, received_at, id)',
  by_state: '(state, received_at, id)',
};

/** Splits `events` and `alerts` by time of arrival, so that retention can drop what has expired. The rows stay where they are: they become the first partition. */
export async function up(database: Knex, run: MigrationRun): Promise<void> {
  await database.raw(DELIVERIES);
  await addSeriesIndex(database);
  for (const table of ['events', 'alerts']) {
    await partitionTable(database, table, {
      keys: KEYS,
      ...run,
      // Before the table has its name again, so that no worker can miss one.
      beforeSwitch: table === 'events' ? copyDeliveries : async () => {},
      partitions: async (whole) => {
        const last = await database(whole).max({ last: 'received_at' }).first();
        return partitionClause(midnightAfter(new Date(Math.max(Date.now(), last?.last?.getTime() ?? 0))));
      },
    });
  }
}

/** Finds the alerts of series that were received in a time: a partition of `alerts` that has none is dropped when it has expired. */
async function addSeriesIndex(database: Knex): Promise<void> {
  const [rows] = await database.raw("SHOW KEYS FROM series_alerts WHERE Key_name = 'by_received_at'");
  if (rows.length > 0) return;
  await database.raw(
    'ALTER TABLE series_alerts ADD KEY by_received_at (received_at), ALGORITHM=INPLACE, LOCK=NONE',
  );
}

/** The first bytes of ids. Those of deliveries are hashes, so each byte begins the same share of them. */
const FIRST_BYTES = Array.from({ length: 256 }, (_, byte) => byte);

/** Copies the ids that are UUIDs of version 8, in 256 statements of about the same size. */
async function copyDeliveries(database: Knex, events: string): Promise<void> {
  for (const byte of FIRST_BYTES) {
    const [first, last] = [0x00, 0xff].map((fill) => Buffer.alloc(16, fill).fill(byte, 0, 1));
    await database.raw(
      `INSERT IGNORE INTO deliveries (id, received_at) SELECT id, received_at FROM ?? FORCE INDEX (by_id)
        WHERE id BETWEEN ? AND ? AND ORD(SUBSTR(id, 7, 1)) >> 4 = 8`,
      [events, first as Buffer, last as Buffer],
    );
  }
}
