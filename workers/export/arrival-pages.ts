import type { Database } from '../../db/client/connect.js';
import type { TimePage, TimePosition } from '../../db/events/newest-first.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { Services } from '../run/services.js';

const PAGE_ROWS = 2_000;

/**
 * Yields all rows of a list that is sorted by time of arrival, a page at a time. A page that fails because the database is
 * unavailable is read again, so the file need not start over.
 */
export async function* arrivalPages<Row extends TimePosition>(
  { reading, closing }: Services,
  read: (database: Database, page: TimePage) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let after: TimePosition | undefined;
  do {
    const page = await retryWhileDatabaseUnavailable(closing, () =>
      reading.read((database) => read(database, { limit: PAGE_ROWS, after })),
    );
    yield page;
    after = page.length === PAGE_ROWS ? page.at(-1) : undefined;
  } while (after);
}
