import type { Knex } from 'knex';
import { describeTime, estimatedRows, MENTIONED_ROWS } from './large-table.js';
import type { MigrationRun } from './migration-run.js';
import { addKeysOnline } from './online-keys.js';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const RANK = 'SMALLINT UNSIGNED';

/**
 * What alerts are sorted by. `severity_rank` of an item is the rank that its mapping gives its severity, NULL if it gives none; of an alert the
 * one that counts, like `peak_rank`. `duration_ms` is NULL while an alert fires, and of one that stands alone.
 */
const COLUMNS: Record<string, Record<string, string>> = {
  series_items: { severity_rank: `${RANK} NULL` },
  alerts: {
    severity_rank: `${RANK} NOT NULL DEFAULT 0`,
    peak_rank: `${RANK} NULL`,
    duration_ms: 'BIGINT NULL',
  },
};

/** Each has the order of a list. */
const KEYS = {
  by_rank: '(severity_rank, received_at, id)',
  by_last_event: '(last_event_at, received_at, id)',
  by_duration: '(duration_ms, received_at, id)',
};

export async function up(database: Knex, run: MigrationRun): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const [name, type] of Object.entries(columns)) {
      // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
      if (await database.schema.hasColumn(table, name)) continue;
      // INSTANT fails where the server would copy the table instead, which may have many millions of rows.
      await database.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}, ALGORITHM=INSTANT`);
    }
  }
  await fillColumns(database, run);
  await addKeysOnline(database, 'alerts', KEYS, run);
}

const rankOf = (column: string): string =>
  `CASE LOWER(${column}) WHEN 'critical' THEN 400 WHEN 'error' THEN 300 WHEN 'warning' THEN 200 WHEN 'info' THEN 100 ELSE 0 END`;

/** For each row. */
const FILL_US = 20;
/** Rows in one transaction. */
const STEP = 10_000;

/** Fills the columns of stored alerts, in steps. Filling a row again does not change it. */
async function fillColumns(database: Knex, { say, check }: MigrationRun): Promise<void> {
  const rows = await estimatedRows(database, 'alerts');
  if (rows >= MENTIONED_ROWS)
    say(
      `alerts: about ${rows.toLocaleString('en')} rows. Filling their new columns takes about ${describeTime(rows * FILL_US)}, while Muster continues.`,
    );
  let after = new Date(0);
  for (;;) {
    await check();
    const last = await database('alerts')
      .where('received_at', '>', after)
      .orderBy('received_at')
      .offset(STEP - 1)
      .first('received_at');
    const query = database('alerts').where('received_at', '>', after);
    if (last) query.where('received_at', '<=', last.received_at);
    await query.update({
      severity_rank: database.raw(rankOf('severity')),
      peak_rank: database.raw(`IF(peak_severity IS NULL, NULL, ${rankOf('peak_severity')})`),
      last_event_at: database.raw('COALESCE(last_event_at, received_at)'),
      duration_ms: database.raw('TIMESTAMPDIFF(MICROSECOND, received_at, resolved_at) DIV 1000'),
    });
    if (!last) return;
    after = last.received_at;
  }
}
