import type { SeriesPosition } from '../../../db/series/series.js';
import {
  type Folded,
  RowItem,
  type SeriesItem,
  type StoredStatus,
  storedStatus,
} from '../../mapping/index.js';

/**
 * Returns the items whose stored status does not say what they did in a fold.
 * @param items in the order of the outcomes
 */
export function wrongStatuses(
  items: readonly SeriesItem[],
  { outcomes }: Pick<Folded, 'outcomes'>,
): (SeriesPosition & { status: StoredStatus })[] {
  const wrong: (SeriesPosition & { status: StoredStatus })[] = [];
  for (const [index, { outcome }] of outcomes.entries()) {
    const item = items[index];
    if (!(item instanceof RowItem)) continue;
    const status = storedStatus(item.status, outcome);
    if (item.row.status !== status) wrong.push({ receivedAt: item.receivedAt, id: item.id, status });
  }
  return wrong;
}
