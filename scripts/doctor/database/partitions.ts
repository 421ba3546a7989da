import type { Database } from '../../../db/client/connect.js';
import { hasRest, listPartitions } from '../../../db/events/day-partitions.js';
import { type Finding, ok, warning } from '../finding.js';

/** Reports whether the tables that are split by time of arrival have partitions for what arrives now. */
export async function findPartitions(check: string, database: Database): Promise<Finding> {
  const late: string[] = [];
  for (const table of ['events', 'alerts'] as const) {
    const partitions = await listPartitions(database, table);
    // A table without partitions is a missing migration, which has its own check.
    if (partitions.length === 0) continue;
    const hasToday = partitions.some(({ before }) => before && before.getTime() > Date.now());
    if (!hasToday || (await hasRest(database, table))) late.push(table);
  }
  if (late.length === 0) return ok(check, 'events and alerts have partitions for what arrives');
  return warning(
    check,
    `rows of ${late.join(' and ')} arrive in the partition rest, which upkeep empties`,
    'Check that a worker runs, that its log has no warning about partitions, and that the clocks of the API hosts are right.',
  );
}
