import type { Knex } from 'knex';
import { toUuidBinary } from '../bulk/uuid-binary.js';

/** What a filter accepts: one value, or any of several. */
export type FilterValues = string | readonly string[];

/** Returns the values of a filter; an empty list if it is not set. */
export const valuesOf = (filter: FilterValues | undefined): readonly string[] =>
  filter === undefined ? [] : [filter].flat();

/** Keeps the rows whose column has one of the filter's values. */
export function whereAny<Value extends string | Buffer>(
  query: Knex.QueryBuilder,
  column: string,
  values: readonly Value[],
): void {
  const [first, ...others] = values;
  if (first !== undefined && others.length === 0) query.where(column, first);
  else if (first !== undefined) query.whereIn(column, values);
}

/** Keeps the rows of these integrations. */
export const whereWebhook = (
  query: Knex.QueryBuilder,
  column: string,
  webhookId: FilterValues | undefined,
): void => whereAny(query, column, valuesOf(webhookId).map(toUuidBinary));
