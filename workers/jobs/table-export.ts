import type { Job } from '../../db/jobs/jobs.js';
import { parseCells } from '../../db/lookups/lookup-rows.js';
import { findTable } from '../../db/lookups/lookup-tables.js';
import { CsvTable } from '../export/csv.js';
import { writeExport } from '../export/write-export.js';
import { withPadding } from '../identities/record/padding.js';
import { paramsOf } from '../queues/contracts/contract.js';
import { tableExport } from '../queues/contracts/table-export.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import type { WorkerServices } from '../run/services.js';
import { storedRows } from '../tables/table-content.js';

const KEPT_HOURS = 1;

/** Writes the active revision of a lookup table, in the order of its upload. */
export async function exportTable(job: Job, services: WorkerServices): Promise<JobResult> {
  const { database } = services;
  const table = await findTable(database, paramsOf(job, tableExport).table);
  if (!table) throw new JobFailure('table_not_found', 'The table has been deleted.');
  const { columns, rowCount, revision } = table;
  const file = new CsvTable(columns);
  const content = {
    header: file.header,
    async *pages() {
      let written = 0;
      for await (const page of storedRows({ database, table })) {
        yield file.page(page.map(({ cells }) => filled(parseCells(cells), columns.length)));
        written += page.length;
      }
      // The next attempt writes the revision that is active then.
      if (written < rowCount)
        throw new Error(`rows of revision ${revision} of the table were deleted meanwhile`);
    },
    count: async () => rowCount,
    keptHours: KEPT_HOURS,
  };
  return writeExport(job, content, services);
}

const filled = (cells: readonly string[], width: number): string[] =>
  Array.from({ length: width }, (_, at) => withPadding(cells[at] ?? ''));
