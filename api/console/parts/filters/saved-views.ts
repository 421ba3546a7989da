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

/** Returns the views that this browser has saved for a list. */
export const savedViews = (list: string): SavedView[] => stored()[list] ?? [];

/** Saves a view in this browser. It replaces the one with the same name. */
export function saveView(list: string, view: SavedView): void {
  store(list, [view, ...savedViews(list).filter(({ name }) => name !== view.name)].slice(0, MAX_VIEWS));
}

export function deleteView(list: string, name: string): void {
  store(
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

/** Without storage, for example because it is full or blocked, nothing is saved. */
function store(list: string, views: SavedView[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), [list]: views }));
  } catch {}
}

function isView(entry: unknown): entry is SavedView {
  const { name, query } = (entry ?? {}) as Record<string, unknown>;
  return typeof name === 'string' && typeof query === 'string';
}
