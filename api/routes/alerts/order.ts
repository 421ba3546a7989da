import { z } from 'zod';
import type { AlertFilters } from '../../../db/events/alerts/alert-list.js';
import type { Alert } from '../../../db/events/alerts/alerts.js';
import {
  ALERT_SORT_KEYS,
  type AlertSort,
  type AlertSortKey,
  listSortedAlerts,
  type SortedPosition,
  sortValueOf,
} from '../../../db/events/alerts/sorted-alerts.js';
import type { ListOrder } from '../../lists/arrival-list.js';
import type { ApiServices } from '../../services.js';

/** The query parameters that sort alerts. */
export const sortQuery = {
  sortKey: z
    .enum(ALERT_SORT_KEYS)
    .optional()
    .meta({
      description:
        'JSON only. `severity`: by rank, words without one are the lowest. `duration`: until it was resolved, or until now; alerts without a ' +
        '`dedupKey` have none and are the lowest. Default: `startedAt`',
    }),
  sortOrder: z
    .enum(['asc', 'desc'])
    .optional()
    .meta({ description: 'JSON only. Ascending or descending. Default: `desc`' }),
};

type SortQuery = z.infer<z.ZodObject<typeof sortQuery>>;

const date = z.iso.datetime().transform((text) => new Date(text));
/** The value that alerts are sorted by, time of arrival and id of an alert, and when the durations of firing alerts end. */
const place = (value: z.ZodType<SortedPosition['value']>) =>
  z
    .tuple([value, date, z.uuid(), date])
    .transform(([value, receivedAt, id, asOf]) => ({ value, receivedAt, id, asOf }));
const PLACES = {
  startedAt: place(date),
  severity: place(z.number().int()),
  lastEventAt: place(date),
  duration: place(z.number().int().nullable()),
} satisfies Record<AlertSortKey, z.ZodType>;

type Place = z.infer<ReturnType<typeof place>>;

/** Returns the order that a query asks for; null if that is the order of arrival, newest first. */
export function orderOf(
  { sortKey: key = 'startedAt', sortOrder: order = 'desc', ...filters }: SortQuery & AlertFilters,
  { clock }: Pick<ApiServices, 'clock'>,
): ListOrder<Alert, Place> | null {
  if (key === 'startedAt' && order === 'desc') return null;
  // The pages of a list belong together: to all of them, firing alerts last until the first one was read.
  const sort: AlertSort = { key, order, asOf: new Date(clock.now()) };
  return {
    position: PLACES[key],
    positionOf: (alert) => [sortValueOf(alert, sort), alert.receivedAt, alert.id, sort.asOf],
    read: (database, page) => {
      if (page.after) sort.asOf = page.after.asOf;
      return listSortedAlerts(database, filters, sort, page);
    },
  };
}
