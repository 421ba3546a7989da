/** The views of the alert list. */
export const VIEWS = ['firing', 'resolved', 'test', 'all'] as const;
export type View = (typeof VIEWS)[number];

/**
 * Returns the view of an address. Without `status`, an address with filters means all alerts, because links to filtered alerts were
 * made before there were views; any other address means the first view.
 */
export function viewOf(status: string, hasFilters: boolean, first: View): View {
  const named = VIEWS.find((view) => view === status);
  return named ?? (status !== '' || hasFilters ? 'all' : first);
}

/** Returns the `status` that an address needs for a view; empty if it needs none. */
export const statusFor = (view: View, hasFilters: boolean, first: View): string =>
  viewOf('', hasFilters, first) === view ? '' : view;
