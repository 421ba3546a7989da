import { z } from 'zod';
import type { Database } from '../../db/client/connect.js';
import type { TimePage, TimePosition } from '../../db/events/newest-first.js';
import { exportVersionOf, type RecordedContract } from '../../workers/queues/contracts/contract.js';
import { defineRoute, type Input, NO_PARAMS, type Route } from '../endpoint/route.js';
import { callback } from '../jobs/callback.js';
import { respondWithFile } from '../jobs/respond-with-file.js';
import type { ApiServices } from '../services.js';
import type { CursorValues } from './cursor.js';
import {
  announceCsv,
  escapeFormulas,
  listFormat,
  listFormatQuery,
  pageOrFileResponses,
} from './list-format.js';
import { pageQuery, pageSchema, type ShortPage, sendPage, timePosition } from './list-page.js';
import { readWithDeadline } from './read-with-deadline.js';
import { receivedQuery } from './time-query.js';

/** Tells the client how to make a list faster that takes the database too long. */
const NARROW = 'Narrow the search with `webhookId`, or with `from` and `to`, or request a CSV.';

/** The query parameters that every list by time of arrival has. */
const commonQuery = {
  ...pageQuery,
  format: listFormatQuery,
  ...receivedQuery,
  escapeFormulas,
  callback,
};
type Principal = Input<unknown, unknown>['principal'];
type CommonQuery = z.infer<z.ZodObject<typeof commonQuery>>;
const ONLY = { csv: ['escapeFormulas', 'callback'], json: ['pageSize', 'cursor'] } as const;

/** An order of a list other than by time of arrival, newest first. `Position` is where a page starts. */
export interface ListOrder<Row, Position> {
  position: z.ZodType<Position>;
  positionOf(row: Row): CursorValues;
  read(
    database: Database,
    page: { limit: number; after: Position | undefined; withinMs: number },
  ): Promise<Row[] | ShortPage<Row>>;
}

interface ArrivalList<Filters extends z.ZodRawShape, Row extends TimePosition, Position>
  extends Pick<Route, 'path' | 'operationId' | 'tag' | 'summary'> {
  /** The query parameters that select rows, in addition to `from` and `to`. */
  filters: Filters;
  /** The query parameters that apply to pages only, and the order that they ask for; null: newest first. */
  order?: {
    names: readonly (keyof z.infer<z.ZodObject<Filters>> & string)[];
    of(
      query: z.infer<z.ZodObject<Filters>> & Pick<CommonQuery, 'from' | 'to'>,
      services: ApiServices,
    ): ListOrder<Row, Position> | null;
  };
  /** The schema of a row in a page. */
  row: z.ZodType;
  read(
    database: Database,
    filters: z.infer<z.ZodObject<Filters>> & Pick<CommonQuery, 'from' | 'to'>,
    page: TimePage & { withinMs: number },
  ): Promise<Row[] | ShortPage<Row>>;
  present(row: Row, principal: Principal): object;
  /** @throws RequestError 403 if a principal must not use these filters */
  checkFilters?(principal: Principal, filters: z.infer<z.ZodObject<Filters>>): void;
  /** The job that writes the CSV file. Its parameters are `version`, `filters`, `format`, `escapeFormulas`, and those that a principal adds. */
  contract: RecordedContract;
  paramsFor?(principal: Principal): object;
}

/**
 * Defines the route of a list that is sorted by time of arrival, newest first, unless the query asks for another order: events or alerts,
 * a page as JSON or all as a CSV file that a worker writes.
 */
export const defineArrivalList = <Filters extends z.ZodRawShape, Row extends TimePosition, Position = never>({
  filters: shape,
  order,
  row,
  read,
  present,
  checkFilters,
  contract,
  paramsFor,
  ...names
}: ArrivalList<Filters, Row, Position>): Route =>
  defineRoute({
    ...names,
    method: 'get',
    description:
      'With `Accept: text/csv` or `format=csv`, a worker writes the file. The request waits for it up to 60 s (see `Prefer`), then ' +
      'responds with 202. A page responds with 503 `search_too_slow` if the database takes longer than 5 s.',
    scopes: ['alerts:read'],
    query: z.strictObject({ ...shape, ...commonQuery }),
    params: NO_PARAMS,
    headers: ['Prefer'],
    responses: pageOrFileResponses(row, pageSchema),
    handle: async (input) => {
      const { ctx, principal, services } = input;
      const query = input.query as z.infer<z.ZodObject<Filters>> & CommonQuery;
      const { pageSize, cursor, format: _, escapeFormulas = false, callback, ...others } = query;
      const filters = others as typeof query;
      checkFilters?.(principal, filters);
      const only = { ...ONLY, json: [...ONLY.json, ...(order?.names ?? [])] };
      if (listFormat(ctx, query, only) === 'csv') {
        const version = exportVersionOf(filters);
        const params = { version, filters, format: 'csv', escapeFormulas, ...paramsFor?.(principal) };
        return ctx.method === 'HEAD'
          ? announceCsv(ctx)
          : respondWithFile(input, { contract, params, callback });
      }
      const list = { page: { pageSize, cursor }, filters, present: (row: Row) => present(row, principal) };
      const lookup = { services, apiKeyId: principal.id, narrow: NARROW };
      const sorted = order?.of(filters, services);
      if (sorted) {
        await sendPage<Row, Position>(ctx, {
          ...list,
          ...sorted,
          read: (page) =>
            readWithDeadline({
              ...lookup,
              read: (database, withinMs) => sorted.read(database, { ...page, withinMs }),
            }),
        });
        return;
      }
      await sendPage<Row, { at: Date; id: string }>(ctx, {
        ...list,
        position: timePosition,
        positionOf: ({ receivedAt, id }) => [receivedAt, id],
        read: ({ limit, after }) => {
          const place = after && { receivedAt: after.at, id: after.id };
          return readWithDeadline({
            ...lookup,
            read: (database, withinMs) => read(database, filters, { limit, after: place, withinMs }),
          });
        },
      });
    },
  });
