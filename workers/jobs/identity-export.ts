import { countIdentities } from '../../db/identities/identities.js';
import { streamIdentities } from '../../db/identities/stream-identities.js';
import type { Job } from '../../db/jobs/jobs.js';
import { CsvTable } from '../export/csv.js';
import { CsvRows } from '../export/csv-rows.js';
import { readingFrom } from '../export/reading-from.js';
import { writeExport } from '../export/write-export.js';
import { paramsOf } from '../queues/contracts/contract.js';
import { identityExport } from '../queues/contracts/identity-export.js';
import type { JobResult } from '../run/handler.js';
import type { WorkerServices } from '../run/services.js';

const COLUMNS = ['email', 'integrationId', 'identity'];
const TEXT_COLUMNS = ['email', 'identity'];

/** Writes the identities that match the filters, as they are at one instant. */
export function exportIdentities(job: Job, services: WorkerServices): Promise<JobResult> {
  const { filters, sort, format, escapeFormulas, keptHours, readFrom } = paramsOf(job, identityExport);
  const { reading } = readingFrom(readFrom, services);
  const table = new CsvTable(COLUMNS, escapeFormulas ? TEXT_COLUMNS : []);
  const content = {
    header: table.header,
    async *pages() {
      yield* streamIdentities(await reading.choose(), filters, sort, new CsvRows(table));
    },
    count: async (withinMs: number) => countIdentities(await reading.choose(), filters, withinMs),
    gzip: format === 'csv.gz',
    keptHours,
  };
  return writeExport(job, content, services);
}
