import { type AlertFilters, countAlerts, listAlerts } from '../../db/events/alerts/alert-list.js';
import type { Alert } from '../../db/events/alerts/alerts.js';
import type { Job } from '../../db/jobs/jobs.js';
import { exportArrivals } from '../export/arrival-export.js';
import { type Cell, CsvTable } from '../export/csv.js';
import { readingFrom } from '../export/reading-from.js';
import { maskEmail } from '../identities/record/mask-email.js';
import { ALERT_FIELDS } from '../mapping/index.js';
import { alertExport } from '../queues/contracts/alert-export.js';
import { paramsOf } from '../queues/contracts/contract.js';
import type { JobResult } from '../run/handler.js';
import type { WorkerServices } from '../run/services.js';

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
  'status',
  'dedupKey',
  'startedAt',
  'lastEventAt',
  'resolvedAt',
  'eventCount',
  'previousAlertId',
  'resolvedBy',
  'resolution',
  'peakSeverity',
  'peakAt',
  'ownerEmail',
] as const;

/** Writes the alerts that match the filters, newest first. */
export function exportAlerts(job: Job, services: WorkerServices): Promise<JobResult> {
  const { filters, escapeFormulas, owners, readFrom } = paramsOf(job, alertExport);
  return writeAlertFile(job, readingFrom(readFrom, services), { filters, escapeFormulas, owners });
}

/** Writes a CSV file with the alerts that match the filters, newest first, as the file of a job. */
export function writeAlertFile(
  job: Job,
  services: WorkerServices,
  { filters, escapeFormulas, owners }: { filters: AlertFilters; escapeFormulas: boolean; owners: boolean },
): Promise<JobResult> {
  return exportArrivals(job, services, {
    // Senders wrote the alert's fields and its key. Custom fields are JSON, which never starts a formula.
    table: new CsvTable(
      COLUMNS,
      escapeFormulas ? [...ALERT_FIELDS, 'dedupKey', 'resolution', 'peakSeverity'] : [],
    ),
    filters,
    read: listAlerts,
    count: countAlerts,
    toRow: (alert) => toRow(owners ? alert : masked(alert)),
  });
}

const masked = (alert: Alert): Alert => ({
  ...alert,
  ownerEmail: alert.ownerEmail && maskEmail(alert.ownerEmail),
});

const toRow = (alert: Alert): Cell[] =>
  COLUMNS.map((name) => {
    if (name === 'custom') return JSON.stringify(alert.custom);
    const value = name === 'startedAt' ? alert.receivedAt : alert[name];
    return value instanceof Date ? value.toISOString() : value;
  });
