import { countListedEvents, listEvents, type StoredEvent } from '../../db/events/events.js';
import type { Job } from '../../db/jobs/jobs.js';
import { arrivalPages } from '../export/arrival-pages.js';
import { type Cell, CsvTable } from '../export/csv.js';
import { writeExport } from '../export/write-export.js';
import { eventExportParams } from '../queues/contracts/event-export.js';
import type { JobResult } from '../run/handler.js';
import type { Services } from '../run/services.js';

/** The file is for the one request that asked for it, and for resuming its download. */
const KEPT_HOURS = 1;

const COLUMNS = [
  'id',
  'webhookId',
  'receivedAt',
  'state',
  'revision',
  'bytes',
  'alerts',
  'filteredItems',
  'filteredBy',
  'faults',
] as const;

/** Writes the events that match the filters, newest first, without their bodies. */
export function exportEvents(job: Job, services: Services): Promise<JobResult> {
  const { filters, escapeFormulas } = eventExportParams.parse(job.params);
  const content = {
    // A clause is text of a mapping. The faults, which may quote a payload, are JSON, which never starts a formula.
    table: new CsvTable(COLUMNS, escapeFormulas ? ['filteredBy'] : []),
    pages: () => pages(filters, services),
    count: (withinMs: number) =>
      services.reading.read((database) => countListedEvents(database, filters, withinMs)),
    keptHours: KEPT_HOURS,
  };
  return writeExport(job, content, services);
}

type Filters = Parameters<typeof listEvents>[1];

async function* pages(filters: Filters, services: Services): AsyncGenerator<Cell[][]> {
  for await (const page of arrivalPages(services, (database, place) => listEvents(database, filters, place)))
    yield page.map(toRow);
}

const toRow = (event: StoredEvent): Cell[] => [
  event.id,
  event.webhookId,
  event.receivedAt.toISOString(),
  event.state,
  event.revision,
  event.bytes,
  event.alertCount,
  event.filter?.items.length ?? 0,
  event.filter?.reason?.clause ?? null,
  JSON.stringify(event.faults),
];
