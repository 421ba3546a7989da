import type { Database } from '../../../db/client/connect.js';
import { readNow } from '../../../db/client/now.js';
import { hasRest, listPartitions, type Partition } from '../../../db/events/day-partitions.js';
import { type Finding, ok, warning } from '../finding.js';

/** Reports whether the tables that are split by time of arrival have partitions for what arrives now. */
export async function findPartitions(check: string, database: Database): Promise<Finding> {
  const late: string[] = [];
  const early: [table: string, partitions: string[]][] = [];
  const now = await readNow(database);
  for (const table of ['events', 'alerts'] as const) {
    const partitions = await listPartitions(database, table);
    // A table without partitions is a missing migration, which has its own check.
    if (partitions.length === 0) continue;
    const hasToday = partitions.some(({ before }) => before && before > now);
    if (!hasToday || (await hasRest(database, table))) late.push(table);
    const future = madeTooEarly(partitions, now);
    if (future.length > 0) early.push([table, future]);
  }
  if (early.length > 0) return tooEarly(check, early);
  if (late.length === 0) return ok(check, 'events and alerts have partitions for what arrives');
  return warning(
    check,
    `rows of ${late.join(' and ')} arrive in the partition rest, which upkeep empties`,
    'Check that a worker runs, that its log has no warning about partitions, and that the clocks of the API hosts are right.',
  );
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Upkeep makes partitions until two more than today's exist. */
const AHEAD = 3;

/** Returns the names of the partitions that end later than upkeep makes them. The last two show how long one is. */
function madeTooEarly(partitions: readonly Partition[], now: Date): string[] {
  const ends = partitions.flatMap(({ name, before }) => (before ? [{ name, before: +before }] : []));
  const [previous, last] = [ends.at(-2)?.before, ends.at(-1)?.before ?? 0];
  const spanMs = previous === undefined ? DAY_MS : last - previous;
  return ends.filter(({ before }) => before > +now + AHEAD * spanMs).map(({ name }) => name);
}

function tooEarly(check: string, tables: readonly [table: string, partitions: string[]][]): Finding {
  const found = tables.map(([table, names]) => `${table}: ${names.join(', ')}`).join('; ');
  const statements = tables.map(
    ([table, names]) =>
      `ALTER TABLE ${table} REORGANIZE PARTITION ${names.join(', ')}, rest INTO (PARTITION rest VALUES LESS THAN (MAXVALUE))`,
  );
  return warning(
    check,
    `partitions that end more than two spans ahead: ${found}`,
    `A clock was wrong when they were made, and all that arrives until then would share one. Check the clocks, and run ${statements.join('; ')}. Upkeep then makes those of the next days.`,
  );
}
