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

/** Totals of integrations and their pairs with severities: senders choose severities, so there could be as many pairs as alerts. */
const MAX_ROWS = 20_000;

/**
 * Counts the firing alerts by integration and severity, in one pass over the series that fire. The totals of integrations are exact; of more
 * than about 20,000 pairs with severities, the rarest are left out. The query may take `withinMs`; see `isTooSlow`.
 */
export async function countFiring(database: Database, withinMs: number): Promise<FiringCounts> {
  // Severities start with a sign, because the total of an integration has none.
  const counted = database.raw(
    `(SELECT webhook_id, IFNULL(CONCAT('=', LOWER(severity)), '') AS marked, COUNT(*) AS alerts,
        SUM(previous_alert_id IS NULL) AS never_resolved
      FROM series WHERE firing = 1 GROUP BY webhook_id, marked WITH ROLLUP) AS counted`,
  );
  const query = database
    .from(counted)
    .whereNotNull('webhook_id')
    .orderByRaw('marked IS NULL DESC, alerts DESC')
    .limit(MAX_ROWS)
    .select('webhook_id', 'marked', 'alerts', 'never_resolved');
  const rows = await selectWithin<Row>(database, query, withinMs);
  const hasSeries = rows.length > 0 || (await database('series').first('id')) !== undefined;
  return { hasSeries, webhooks: byWebhook(rows) };
}

interface Row {
  webhook_id: Buffer;
  /** The severity after a sign; empty for alerts without one, null in the total of the integration. */
  marked: string | null;
  alerts: number | string;
  never_resolved: number | string;
}

/** Returns the counts by integration. Totals come first. */
function byWebhook(rows: readonly Row[]): FiringCount[] {
  const counts = new Map<string, FiringCount>();
  for (const { webhook_id, marked, ...row } of rows) {
    const webhookId = fromUuidBinary(webhook_id);
    const alerts = Number(row.alerts);
    const neverResolved = Number(row.never_resolved);
    if (marked === null) counts.set(webhookId, { webhookId, alerts, neverResolved, severities: [] });
    else counts.get(webhookId)?.severities.push({ severity: marked === '' ? null : marked.slice(1), alerts });
  }
  return [...counts.values()];
}
