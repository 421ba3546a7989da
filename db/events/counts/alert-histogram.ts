import type { AlertFilters } from '../alerts/alert-list.js';
import type { AlertCounts } from './counted-alerts.js';

/** The alerts of one severity that were received in one bucket of time. */
export interface BucketCount {
  /** Number of the bucket, from 0. */
  bucket: number;
  /** In lower case; null for alerts without one. */
  severity: string | null;
  alerts: number;
  /** All alerts of the bucket. */
  bucketAlerts: number;
}

/** Senders choose severities, so there could be as many as alerts. */
const MAX_COUNTS = 20_000;

interface CountRow {
  bucket: number | string;
  severity_name: string | null;
  alerts: number | string;
  bucket_alerts: number | string;
}

/**
 * Counts alerts by time and severity. The totals of buckets are exact; of more than 20,000 counts, the smallest are left out.
 * @param start where the first bucket begins, not after the first alert
 */
export async function countHistogram(
  counts: AlertCounts,
  filters: AlertFilters,
  { start, bucketSeconds }: { start: Date; bucketSeconds: number },
): Promise<BucketCount[]> {
  const { rows } = await counts.count<CountRow>(filters, (query) => {
    const { client } = query;
    query
      .select(
        client.raw('TIMESTAMPDIFF(SECOND, ?, alerts.received_at) DIV ? AS bucket', [start, bucketSeconds]),
        // Not named severity: GROUP BY would then mean the column, in which upper and lower case differ.
        client.raw('LOWER(alerts.severity) AS severity_name'),
      )
      .count({ alerts: '*' })
      .groupBy('bucket', 'severity_name');
    return client
      .queryBuilder()
      .from(query.as('counts'))
      .select('*', client.raw('SUM(alerts) OVER (PARTITION BY bucket) AS bucket_alerts'))
      .orderByRaw('ROW_NUMBER() OVER (PARTITION BY bucket ORDER BY alerts DESC) = 1 DESC, alerts DESC')
      .limit(MAX_COUNTS);
  });
  return rows.map(({ bucket, severity_name, alerts, bucket_alerts }) => ({
    bucket: Number(bucket),
    severity: severity_name,
    alerts: Number(alerts),
    bucketAlerts: Number(bucket_alerts),
  }));
}
