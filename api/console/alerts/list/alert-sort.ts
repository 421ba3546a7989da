/** What the columns of the alert list sort by, and their numbers from 0. */
export const SORT_COLUMNS = { severity: 0, startedAt: 5, lastEventAt: 6, duration: 7 } as const;
export type AlertSortKey = keyof typeof SORT_COLUMNS;

/** The order of the list, named as in the API and in the page's address. */
export interface AlertSort {
  sortKey: AlertSortKey;
  sortOrder: 'asc' | 'desc';
}

/** Returns the order of an address; without one, or with an unknown one, the newest alerts come first. */
export const sortOf = (sortKey: string, sortOrder: string): AlertSort => ({
  sortKey: Object.keys(SORT_COLUMNS).find((key): key is AlertSortKey => key === sortKey) ?? 'startedAt',
  sortOrder: sortOrder === 'asc' ? 'asc' : 'desc',
});

/** Returns the order after a click on a column header: the highest first, then the lowest. */
export const sortAfterClick = ({ sortKey, sortOrder }: AlertSort, clicked: AlertSortKey): AlertSort => ({
  sortKey: clicked,
  sortOrder: sortKey === clicked && sortOrder === 'desc' ? 'asc' : 'desc',
});

/** Returns the parameters of an order for an address or the API; empty for the order that both have without them. */
export const sortParameters = ({
  sortKey,
  sortOrder,
}: AlertSort): Record<'sortKey' | 'sortOrder', string> => ({
  sortKey: sortKey === 'startedAt' ? '' : sortKey,
  sortOrder: sortOrder === 'desc' ? '' : sortOrder,
});
