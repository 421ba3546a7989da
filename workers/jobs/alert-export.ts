import { type Alert, type AlertFilters, countAlerts, listAlerts } from '../../db/events/alerts.js';
import type { Job } from '../../db/jobs/jobs.js';
import { arrivalPages } from '../export/arrival-pages.js';
import { type Cell, CsvTable } from '../export/csv.js';
import { writeExport } from '../export/write-export.js';
import { ALERT_FIELDS } from '../mapping/index.js';
import { alertExportParams } from '../queues/contracts/alert-export.js';
import type { JobResult } from '../run/handler.js';
import type { Services } from '../run/services.js';

/** The file is for the one request that asked for it, and for resuming its download. */
const KEPT_HOURS = 1;

const COLUMNS = [
  'id',
  'eventId',
  'webhookId',
  'revision',
  'state',
  'receivedAt',
  'title',
  'severity',
  'description',
  'source',
  'service',
  'environment',
  'team',
  'custom',
] as const;

/** Writes the alerts that match the filters, newest first. */
export function exportAlerts(job: Job, services: Services): Promise<JobResult> {
  const { filters, escapeFormulas } = alertExportParams.parse(job.params);
  const content = {
    // Senders wrote the alert's fields. Custom fields are JSON, which never starts a formula.
    table: new CsvTable(COLUMNS, escapeFormulas ? ALERT_FIELDS : []),
    pages: () => pages(filters, services),
    count: (withinMs: number) =>
      services.reading.read((database) => countAlerts(database, filters, withinMs)),
    keptHours: KEPT_HOURS,
  };
  return writeExport(job, content, services);
}

async function* pages(filters: AlertFilters, services: Services): AsyncGenerator<Cell[][]> {
  for await (const page of arrivalPages(services, (database, place) => listAlerts(database, filters, place)))
    yield page.map(toRow);
}

const toRow = (alert: Alert): Cell[] =>
  COLUMNS.map((name) => {
    if (name === 'receivedAt') return alert.receivedAt.toISOString();
    if (name === 'custom') return JSON.stringify(alert.custom);
    return alert[name];
  });
