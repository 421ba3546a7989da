import type { Knex } from 'knex';

/** The order of a list, whose columns together are unique, and where a page of it starts. */
export interface Keyset {
  columns: readonly string[];
  order: 'asc' | 'desc';
  /** The values of the columns in the last row of the previous page; undefined for the first page. */
  after?: readonly KeysetValue[] | undefined;
}
export type KeysetValue = string | number | Date | Buffer;

/**
 * Sorts a list and starts after a position: `a > ? OR (a = ? AND b > ?)`. With an index on the columns, a page costs the same
 * at any depth. The row form `(a, b) > (?, ?)` would read far more rows, because the optimizer makes no range of it.
 */
export function orderByKeyset<Query extends Knex.QueryBuilder>(
  query: Query,
  { columns, order, after }: Keyset,
): Query {
  query.orderBy(columns.map((column) => ({ column, order })));
  if (after) startAfter(query, columns, after, order === 'asc' ? '>' : '<');
  return query;
}

function startAfter(
  query: Knex.QueryBuilder,
  [column, ...columns]: readonly string[],
  [value, ...values]: readonly KeysetValue[],
  operator: '>' | '<',
): void {
  if (column === undefined || value === undefined) return;
  query.where((either) => {
    either.where(column, operator, value);
    if (columns.length === 0) return;
    either.orWhere((tie) => {
      tie.where(column, value);
      startAfter(tie, columns, values, operator);
    });
  });
}
