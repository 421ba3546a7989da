import { fromUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { selectWithin } from '../client/limit-time.js';

/** The number of alerts that fire now. */
export interface FiringCounts {
  /** False if no event has ever had a deduplication key. */
  hasSeries: boolean;
  /** The integrations with firing alerts, those with the most first. */
  webhooks: FiringCount[];
}

/** The firing alerts of one integration. */
export interface FiringCount {
  webhookId: string;
  alerts: number;
  /** Those of series that have never been resolved. */
  neverResolved: number;
  /** The most frequent severities, in lower case. Null is that of alerts without one. */
  severities: { severity: string | null; alerts: number }[];
}

/** Counts by integration and severity: sent by senders, severities could be as many as alerts. */
const MAX_PAIRS = 5_000;

/** Counts the firing alerts by integration and severity. Each of three queries may take `withinMs`; see `isTooSlow`. */
export async function countFiring(database: Database, withinMs: number): Promise<FiringCounts> {
  const firing = () => database('series').where('firing', 1).orderBy('alerts', 'desc');
  const count = database.raw('COUNT(*) AS alerts');
  const byWebhook = firing()
    .groupBy('webhook_id')
    .select('webhook_id', count, database.raw('SUM(previous_alert_id IS NULL) AS never_resolved'));
  const bySeverity = firing()
    .groupBy('webhook_id', 'lower_severity')
    .limit(MAX_PAIRS)
    .select('webhook_id', database.raw('LOWER(severity) AS lower_severity'), count);
  const any = database('series').limit(1).select('webhook_id');
  const [webhooks, pairs, series] = await Promise.all(
    [byWebhook, bySeverity, any].map((query) => selectWithin<Row>(database, query, withinMs)),
  );
  const counts = new Map(webhooks?.map((row) => [fromUuidBinary(row.webhook_id), toCount(row)]));
  for (const row of pairs ?? []) {
    const severity = row.lower_severity ?? null;
    counts.get(fromUuidBinary(row.webhook_id))?.severities.push({ severity, alerts: Number(row.alerts) });
  }
  return { hasSeries: series?.length === 1, webhooks: [...counts.values()] };
}

interface Row {
  webhook_id: Buffer;
  alerts: number | string;
  never_resolved?: number | string;
  lower_severity?: string | null;
}

const toCount = ({ webhook_id, alerts, never_resolved }: Row): FiringCount => ({
  webhookId: fromUuidBinary(webhook_id),
  alerts: Number(alerts),
  neverResolved: Number(never_resolved),
  severities: [],
});
