import type { Database } from '../client/connect.js';

/** Tables whose rows expire some time after their event was received, and the rows of each that do. */
const expiring = {
  events: '',
  deliveries: '',
  alerts: 'AND dedup_key IS NULL',
  sns_confirmations: '',
} as const;

export type ExpiringTable = keyof typeof expiring;

/** The times between which rows were received. `from` null: from the first row. */
export interface ReceivedBetween {
  from: Date | null;
  before: Date;
}

/**
 * Deletes at most `limit` of the oldest rows of a table that were received in a time. Alerts of series are kept. Returns how many rows were deleted,
 * and from which time on there may be more, null for nowhere. To start there saves the next call from reading again the alerts that were kept, and the
 * rows that are deleted but not yet purged.
 */
export async function deleteOldest(
  database: Database,
  table: ExpiringTable,
  { from, before }: ReceivedBetween,
  limit: number,
): Promise<{ count: number; next: Date | null }> {
  const where = `WHERE received_at >= ? AND received_at < ? ${expiring[table]} ORDER BY received_at, id`;
  const range = [from ?? new Date(0), before];
  // Without a lock: a row that is inserted meanwhile only makes the DELETE end earlier.
  const [ends] = await database.raw(`SELECT received_at FROM ${table} ${where} LIMIT 1 OFFSET ?`, [
    ...range,
    limit - 1,
  ]);
  const [{ affectedRows }] = await database.raw(`DELETE FROM ${table} ${where} LIMIT ?`, [...range, limit]);
  return { count: affectedRows, next: ends[0]?.received_at ?? null };
}
