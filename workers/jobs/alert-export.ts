import { uuidv7 } from 'uuidv7';
import { type Alert, type AlertFilters, listAlerts } from '../../db/events/alerts.js';
import type { TimePlace } from '../../db/events/newest-first.js';
import type { Job } from '../../db/jobs/jobs.js';
import { writeCsvFile } from '../export/csv-file.js';
import { failWhenStoreIsFull } from '../export/store-full.js';
import { ALERT_FIELDS } from '../mapping/index.js';
import { alertExportParams } from '../queues/contracts/alert-export.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { JobResult, Services } from '../run/services.js';

const PAGE_ROWS = 2_000;
/** A download of a plain GET is for the one request that asked for it. */
const KEPT_MS = 60 * 60 * 1_000;

const HEADER = [
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

/** What others wrote. Custom fields are JSON, which starts no formula. */
const TEXTS = new Set<string>(ALERT_FIELDS);

/**
 * Writes the alerts that match the filters as one CSV file, newest first. Each attempt writes under a name of its own, because
 * the name is a strong ETag: a client that resumes a download must never join the bytes of two attempts.
 */
export async function exportAlerts(job: Job, services: Services): Promise<JobResult> {
  const { filters, escapeFormulas } = alertExportParams.parse(job.params);
  const resultKey = `results/${job.id}.${uuidv7().slice(-8)}`;
  const content = {
    header: HEADER,
    pages: pages(filters, services),
    ...(escapeFormulas ? { escaped: TEXTS } : {}),
  };
  const rows = await failWhenStoreIsFull(writeCsvFile(services.files, resultKey, content));
  return {
    state: 'completed',
    counts: { rows },
    resultKey,
    expiresAt: new Date(Date.now() + KEPT_MS),
  };
}

async function* pages(filters: AlertFilters, { database, closing }: Services) {
  let after: TimePlace | undefined;
  do {
    const page = await retryWhileDatabaseUnavailable(closing, () =>
      listAlerts(database, filters, { limit: PAGE_ROWS, after }),
    );
    yield page.map(toCells);
    after = page.length === PAGE_ROWS ? page.at(-1) : undefined;
  } while (after);
}

const toCells = (alert: Alert): (string | number | null)[] =>
  HEADER.map((name) => {
    if (name === 'receivedAt') return alert.receivedAt.toISOString();
    if (name === 'custom') return JSON.stringify(alert.custom);
    return alert[name];
  });
