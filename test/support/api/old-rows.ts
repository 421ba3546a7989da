import type { Database } from '../../../db/client/connect.js';
import { sequence } from '../sequence.js';

/**
 * Inserts events and alerts of one webhook, without series, one each for `count` moments from a time on. Ids start with a number, so that a
 * table can be filled again.
 */
export async function insertOldRows(
  database: Database,
  { count, from, run = 0 }: { count: number; from: Date; run?: number },
): Promise<void> {
  const row = `FROM_UNIXTIME(? / 1000 + seq / 1000), UNHEX(LPAD(HEX(seq + ${run} * 1000000000), 32, '0')), UNHEX(REPEAT('ab', 16))`;
  for (const [table, columns, values] of [
    ['events', 'state, revision, alert_count, raw', `'normalized', 1, 1, '{"alert":{"name":"High CPU"}}'`],
    ['alerts', 'state, revision, severity, description, source', `'complete', 1, 'high', 'High CPU', 'test'`],
  ]) {
    await database.raw(
      `INSERT INTO ${table} (received_at, id, webhook_id, ${columns}) SELECT ${row}, ${values} FROM ${sequence(count)}`,
      [from.getTime()],
    );
  }
}

export async function countRows(database: Database, table: string): Promise<number> {
  return Number((await database(table).count({ count: '*' }).first())?.count);
}
