import type { Database } from '../../../db/client/connect.js';

/**
 * Runs a query. Returns its result, how many rows the server read for it, and how many it sorted.
 * @param database a single connection, because the server counts the rows per session
 */
export async function rowsRead<Row>(database: Database, query: () => Promise<Row[]>) {
  const counters = async () => {
    const [rows] = await database.raw(
      "SHOW SESSION STATUS WHERE Variable_name LIKE 'Handler\\_read\\_%' OR Variable_name = 'Sort_rows'",
    );
    const values = new Map<string, number>(
      rows.map((row: { Variable_name: string; Value: string }) => [row.Variable_name, Number(row.Value)]),
    );
    const sorted = values.get('Sort_rows') as number;
    return { sorted, read: [...values.values()].reduce((sum, value) => sum + value, 0) - sorted };
  };
  const before = await counters();
  const found = await query();
  const after = await counters();
  return { found, read: after.read - before.read, sorted: after.sorted - before.sorted };
}
