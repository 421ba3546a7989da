const DIGITS = `(${Array.from({ length: 10 }, (_, digit) => `SELECT ${digit} AS n`).join(' UNION ALL ')})`;

/** Returns a table with the column `seq` from 1 to `count`, for a FROM. MariaDB has one built in, MySQL has not. */
export function sequence(count: number): string {
  const places = Array.from({ length: String(count).length }, (_, place) => place);
  const value = places.map((place) => `d${place}.n * ${10 ** place}`).join(' + ');
  const joined = places.map((place) => `${DIGITS} AS d${place}`).join(' CROSS JOIN ');
  return `(SELECT ${value} AS seq FROM ${joined} HAVING seq BETWEEN 1 AND ${count}) AS numbers`;
}
