import { NO_ALERT, type Transition } from '../../../db/outbox/outbox.js';
import type { SeriesKey, SeriesPosition, StoredSeriesAlert } from '../../../db/series/series.js';
import type { SeriesAlert } from '../../../db/series/series-writer.js';
import { isFiring, type Occurrence, repeatWindowMs, severityOfAlert } from '../../mapping/index.js';
import { toToldAlert } from './alert-row.js';

/**
 * Returns how the alerts of a series changed. Of one that opened and ended since, both are told.
 * @param before the latest alert as it was stored; null if there was none
 * @param changed the alerts that have changed, oldest first
 * @param rows of alerts that are written
 */
export function transitionsOf(
  key: SeriesKey,
  before: StoredSeriesAlert | null,
  changed: Iterable<Occurrence>,
  rows: ReadonlyMap<Occurrence, SeriesAlert>,
): Transition[] {
  const { id: seriesId, webhookId, dedupKey } = key;
  const found: Transition[] = [];
  const hasStatus = repeatWindowMs(dedupKey) === null;
  for (const alert of changed) {
    const known = before?.id === alert.id ? before : null;
    const place = { receivedAt: alert.receivedAt, id: alert.id };
    const row = hasStatus ? rows.get(alert) : undefined;
    const add = (kind: Transition['kind'], { receivedAt, id }: SeriesPosition = alert.newest) => {
      const isLast = id === alert.newest.id && receivedAt === alert.newest.receivedAt;
      const alertThen = row && isLast ? JSON.stringify(toToldAlert(key, row)) : null;
      found.push({ kind, webhookId, seriesId, alert: place, item: { receivedAt, id }, alertThen });
    };
    const fires = hasStatus && isFiring(alert);
    // What a reader of the first message sees is the alert before its end.
    if (!known) add('fired', fires || !hasStatus ? alert.newest : place);
    else if (!known.firing && fires) add('fired');
    else if (fires && known.severity !== severityOfAlert(alert)) add('changed');
    if (hasStatus && !fires && (known?.firing ?? true)) add('resolved');
  }
  return found;
}

/** Returns what makes destinations compare what they know of a series with its latest alert; null: it has none, because its items show that there never was one. */
export const refoldedTo = ({ id: seriesId, webhookId }: SeriesKey, latest: Occurrence | null): Transition => {
  const place = ({ receivedAt, id }: SeriesPosition) => ({ receivedAt, id });
  return {
    kind: 'refolded',
    webhookId,
    seriesId,
    alert: latest ? place(latest) : NO_ALERT,
    item: latest && place(latest.newest),
  };
};
