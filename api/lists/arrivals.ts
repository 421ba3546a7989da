import type Koa from 'koa';
import type { Database } from '../../db/client/connect.js';
import type { TimePage, TimePosition } from '../../db/events/newest-first.js';
import { isoTime } from '../endpoint/parameters.js';
import type { Services } from '../services.js';
import { type PageRequest, sendPage, timePosition } from './list-page.js';
import { readWithDeadline } from './read-with-deadline.js';

const time = isoTime.transform((text) => new Date(text)).optional();
const timeDoc = (description: string) => ({ description, override: { type: 'string', format: 'date-time' } });

/** The query parameters that select a range of the time of arrival. */
export const arrival = {
  from: time.meta(timeDoc('Received at this time or later')),
  to: time.meta(timeDoc('Received before this time')),
};

interface Arrivals<Row, Filters extends object> {
  apiKeyId: string;
  page: PageRequest;
  filters: Filters;
  /** Tells the client how to make a list faster that takes the database too long. */
  narrow: string;
  read(database: Database, filters: Filters, page: TimePage): Promise<Row[]>;
  present(row: Row): object;
}

/**
 * Sends a page of events or alerts, the newest first.
 * @throws RequestError 503 `search_too_slow` after 5 s
 */
export const sendArrivals = <Row extends TimePosition, Filters extends object>(
  ctx: Koa.Context,
  services: Services,
  { apiKeyId, page, filters, narrow, read, present }: Arrivals<Row, Filters>,
): Promise<void> =>
  sendPage<Row, { at: Date; id: string }>(ctx, {
    page,
    filters,
    position: timePosition,
    positionOf: ({ receivedAt, id }) => [receivedAt, id],
    read: ({ limit, after }) => {
      const place = after && { receivedAt: after.at, id: after.id };
      return readWithDeadline({
        services,
        apiKeyId,
        narrow,
        read: (database, withinMs) => read(database, filters, { limit, after: place, withinMs }),
      });
    },
    present,
  });
