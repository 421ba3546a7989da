import { fromUuidBinary } from '../../bulk/uuid-binary.js';
import { DeadlineExceeded } from '../../client/deadline.js';
import { isTooSlow } from '../../client/errors.js';
import type { AlertFilters } from '../alerts/alert-list.js';
import { GENERATED_KEYS } from '../alerts/alerts.js';
import type { AlertCounts, CountedPart } from './counted-alerts.js';

/** The filters whose values are counted, and what they are in SQL. */
const VALUES = {
  severity: 'LOWER(alerts.severity)',
  status: `IF(alerts.dedup_key IS NULL OR alerts.dedup_key LIKE '${GENERATED_KEYS}', IF(alerts.is_test = 1, 'test', NULL),
    IF(alerts.resolved_at IS NULL, 'firing', 'resolved'))`,
  state: 'alerts.state',
  source: 'alerts.source',
  service: 'alerts.service',
  environment: 'alerts.environment',
  team: 'alerts.team',
  ownerEmail: 'alerts.owner_email',
  webhookId: 'alerts.webhook_id',
  peakSeverity: 'LOWER(alerts.peak_severity)',
  resolvedBy: 'alerts.resolved_by',
} as const;
export type FacetField = keyof typeof VALUES;
export const FACET_FIELDS = Object.keys(VALUES) as [FacetField, ...FacetField[]];

/** The most values of a facet. */
export const MAX_FACET_VALUES = 50;

/** How many alerts have each value of a field. */
export interface Facet extends CountedPart {
  /** The most frequent values first. Null stands for alerts without one. */
  values: { value: string | null; alerts: number }[];
  /** Whether there are further values. */
  hasMore: boolean;
}

/**
 * Counts the alerts by the values of a field. A filter by the field itself is ignored, so that the other values can be offered too. Returns
 * null if the counting took longer than the deadline: values that are different in each alert cost 13 µs of the database's time for each.
 */
export async function countFacet(
  counts: AlertCounts,
  filters: AlertFilters,
  field: FacetField,
): Promise<Facet | null> {
  const { [field]: _, ...others } = filters;
  try {
    const { rows, countedFrom } = await counts.count<{ value: string | Buffer | null; alerts: number }>(
      others,
      (query) =>
        query
          .select(query.client.raw(`${VALUES[field]} AS value`))
          .count({ alerts: '*' })
          .groupBy('value')
          .orderBy([{ column: 'alerts', order: 'desc' }, { column: 'value' }])
          .limit(MAX_FACET_VALUES + 1),
    );
    const values = rows
      .slice(0, MAX_FACET_VALUES)
      .map(({ value, alerts }) => ({ value: textOf(value), alerts: Number(alerts) }));
    return { values, hasMore: rows.length > MAX_FACET_VALUES, countedFrom };
  } catch (error) {
    if (error instanceof DeadlineExceeded || isTooSlow(error)) return null;
    throw error;
  }
}

const textOf = (value: Buffer | string | null): string | null =>
  Buffer.isBuffer(value) ? fromUuidBinary(value) : value;
