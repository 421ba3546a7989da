import type { Knex } from 'knex';
import type { Database } from './connect.js';

/*
 * Now, by the clock of the database. What is due, has expired or is deleted at a time is decided by this clock, because the clocks of hosts may
 * be wrong.
 */

/** Returns the database's current time. */
export async function readNow(database: Database): Promise<Date> {
  const [[row]] = await database.raw('SELECT UTC_TIMESTAMP(3) AS now');
  return row.now;
}

/** Returns now as a part of a statement. */
export const sqlNow = (database: Database): Knex.Raw => database.raw('UTC_TIMESTAMP(3)');

/** Returns the time in so many seconds as a part of a statement. */
export const sqlInSeconds = (database: Database, seconds: number): Knex.Raw =>
  database.raw('UTC_TIMESTAMP(3) + INTERVAL ? SECOND', [seconds]);
