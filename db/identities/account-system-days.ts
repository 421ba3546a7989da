import type { Database } from '../client/connect.js';

/** What was recorded of an account system on one day. A count is null if it took too long, or if there was nothing to count. */
export interface AccountSystemDay {
  integrationId: number;
  /** The start of the day, in UTC. */
  day: Date;
  /** Accounts that have an owner. */
  accounts: number | null;
  /** Their different owners. */
  owners: number | null;
  /** The accounts of the last worklist until then; null: there was none. Only such a list tells which accounts there are. */
  listed: number | null;
  /** Those of them that had no owner. */
  withoutOwner: number | null;
}

const TABLE = 'account_system_days';

/** Returns the days of an account system, the oldest first. */
export async function listDays(database: Database, integrationId: number): Promise<AccountSystemDay[]> {
  const rows = await database(TABLE).where({ integration_id: integrationId }).orderBy('day');
  return rows.map((row) => ({
    integrationId,
    day: row.day,
    accounts: numberOf(row.accounts),
    owners: numberOf(row.owners),
    listed: row.listed,
    withoutOwner: row.without_owner,
  }));
}

/** Returns the numbers of the account systems that have been counted on a day. */
export async function countedOn(database: Database, day: Date): Promise<Set<number>> {
  const ids = await database(TABLE).where({ day }).pluck('integration_id');
  return new Set(ids.map(Number));
}

/** Records a day, unless it is recorded. */
export async function insertDay(database: Database, one: AccountSystemDay): Promise<void> {
  const row = {
    integration_id: one.integrationId,
    day: one.day,
    accounts: one.accounts,
    owners: one.owners,
    listed: one.listed,
    without_owner: one.withoutOwner,
  };
  await database(TABLE).insert(row).onConflict(['integration_id', 'day']).ignore();
}

/** Deletes at most `limit` days before another one. Returns how many. */
export const deleteDaysBefore = (database: Database, before: Date, limit: number): Promise<number> =>
  database(TABLE).where('day', '<', before).limit(limit).delete();

const numberOf = (value: number | string | null): number | null => (value === null ? null : Number(value));
