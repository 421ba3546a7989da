import type { Database } from '../../db/client/connect.js';
import type { TimePage, TimePosition } from '../../db/events/newest-first.js';
import type { Job } from '../../db/jobs/jobs.js';
import type { JobResult } from '../run/handler.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { WorkerServices } from '../run/services.js';
import type { Cell, CsvPage, CsvTable } from './csv.js';
import { writeExport } from './write-export.js';

const PAGE_ROWS = 2_000;
/** The file is for the one request that asked for it, and for resuming its download. */
const KEPT_HOURS = 1;

interface ArrivalExport<Row, Filters> {
  table: CsvTable;
  filters: Filters;
  read(database: Database, filters: Filters, page: TimePage): Promise<Row[]>;
  count(database: Database, filters: Filters, withinMs: number): Promise<number>;
  toRow(row: Row): Cell[];
}

/** Writes a CSV file with all rows of a list that is sorted by time of arrival, newest first. */
export const exportArrivals = <Row extends TimePosition, Filters>(
  job: Job,
  services: WorkerServices,
  { table, filters, read, count, toRow }: ArrivalExport<Row, Filters>,
): Promise<JobResult> =>
  writeExport(
    job,
    {
      header: table.header,
      pages: () =>
        pages(
          services,
          (database, page) => read(database, filters, page),
          (rows) => table.page(rows.map(toRow)),
        ),
      count: (withinMs) => services.reading.read((database) => count(database, filters, withinMs)),
      keptHours: KEPT_HOURS,
    },
    services,
  );

/**
 * Yields all rows, a page at a time. A page that fails because the database is unavailable is read again, so the file need
 * not start over.
 */
async function* pages<Row extends TimePosition>(
  { reading, closing }: WorkerServices,
  read: (database: Database, page: TimePage) => Promise<Row[]>,
  toPage: (rows: readonly Row[]) => CsvPage,
): AsyncGenerator<CsvPage> {
  let after: TimePosition | undefined;
  do {
    const page = await retryWhileDatabaseUnavailable(closing, () =>
      reading.read((database) => read(database, { limit: PAGE_ROWS, after })),
    );
    yield toPage(page);
    after = page.length === PAGE_ROWS ? page.at(-1) : undefined;
  } while (after);
}
