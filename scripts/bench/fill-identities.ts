import type { Database } from '../../db/client/connect.js';

const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => `SELECT ${digit} AS digit`).join(' UNION ALL ');
const PLACES = [0, 1, 2, 3, 4, 5, 6, 7];

/**
 * Lets the server fill the table: 23 account systems, 100,000 developers. Of 100 identities 85 are plain, 5 contain quotes and
 * commas, 5 are not ASCII and 5 start like a formula.
 */
export async function fillIdentities(database: Database, rows: number): Promise<void> {
  const numbers = PLACES.map((place) => `(${DIGITS}) d${place}`).join(' CROSS JOIN ');
  const n = PLACES.map((place) => `d${place}.digit * ${10 ** place}`).join(' + ');
  await database.raw(
    `INSERT INTO identities (integration_id, identity, email, asserted_by, created_at, updated_at)
     SELECT 1 + n MOD 23,
       CASE n MOD 20 WHEN 0 THEN CONCAT('Kim, "the ', n, '."') WHEN 1 THEN CONCAT('用户-', n)
         WHEN 2 THEN CONCAT('=', n) ELSE CONCAT('octo-cat-', n) END,
       CONCAT('first.last', n MOD 99991, '@team-', n MOD 17, '.example.com'), 1, t, t
     FROM (SELECT n, '2026-01-01' + INTERVAL (n * 7919) MOD 8640000 SECOND AS t
       FROM (SELECT ${n} AS n FROM ${numbers}) every WHERE n < ?) numbered`,
    [rows],
  );
  await database.raw('ANALYZE TABLE identities');
}
