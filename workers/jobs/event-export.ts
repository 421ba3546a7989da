import { countListedEvents, listEvents, type StoredEvent } from '../../db/events/events.js';
import type { Job } from '../../db/jobs/jobs.js';
import { exportArrivals } from '../export/arrival-export.js';
import { type Cell, CsvTable } from '../export/csv.js';
import { readingFrom } from '../export/reading-from.js';
import { paramsOf } from '../queues/contracts/contract.js';
import { eventExport } from '../queues/contracts/event-export.js';
import type { JobResult } from '../run/handler.js';
import type { WorkerServices } from '../run/services.js';

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
export function exportEvents(job: Job, services: WorkerServices): Promise<JobResult> {
  const { filters, escapeFormulas, readFrom } = paramsOf(job, eventExport);
  return exportArrivals(job, readingFrom(readFrom, services), {
    // A clause is text of a mapping. The faults, which may quote a payload, are JSON, which never starts a formula.
    table: new CsvTable(COLUMNS, escapeFormulas ? ['filteredBy'] : []),
    filters,
    read: listEvents,
    count: countListedEvents,
    toRow,
  });
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
