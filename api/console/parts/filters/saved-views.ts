const KEY = 'muster.views';
/** Views that a list keeps, the latest first. */
const MAX_VIEWS = 30;
export const MAX_NAME = 60;

/** The filters of a list under a name. */
export interface SavedView {
  name: string;
  /** The query of the address. */
  query: string;
}

/** What an address has in addition to filters: it belongs to one visit. */
const OF_ONE_VISIT = ['page', 'cursor', 'export'];

/** Returns the query of a view that has the filters of an address. */
export function viewQuery(search: string): string {
  const parameters = new URLSearchParams(search);
  for (const name of OF_ONE_VISIT) parameters.delete(name);
  return String(parameters);
}

/** Returns the views that this browser has saved for a list. */
export const savedViews = (list: string): SavedView[] => stored()[list] ?? [];

/** Saves a view in this browser. It replaces the one with the same name. Returns false if the browser does not store it. */
export function saveView(list: string, view: SavedView): boolean {
  return store(
    list,
    [view, ...savedViews(list).filter(({ name }) => name !== view.name)].slice(0, MAX_VIEWS),
  );
}

/** Returns false if the browser does not store the change. */
export function deleteView(list: string, name: string): boolean {
  return store(
    list,
    savedViews(list).filter((view) => view.name !== name),
  );
}

function stored(): Record<string, SavedView[]> {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (read === null || typeof read !== 'object') return {};
    const lists = Object.entries(read).filter((entry): entry is [string, unknown[]] =>
      Array.isArray(entry[1]),
    );
    return Object.fromEntries(lists.map(([list, views]) => [list, views.filter(isView)]));
  } catch {
    return {};
  }
}

/** Returns false if nothing is saved, for example because the browser's storage is full or blocked. */
function store(list: string, views: SavedView[]): boolean {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), [list]: views }));
    return true;
  } catch {
    return false;
  }
}

function isView(entry: unknown): entry is SavedView {
  const { name, query } = (entry ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof query === 'string';
}
