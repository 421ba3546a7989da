import type { Scope } from '../../http/types.ts';
import { pagesFor } from '../pages.ts';

/** Something that the palette opens. */
export interface Entry {
  group: 'Pages' | 'Actions' | 'Integrations' | 'By ID' | 'Search';
  name: string;
  href: string;
  /** Shown after the name. */
  note?: string;
}

/** Shown of each group, so that many integrations do not hide the other groups. */
const MAX_OF_GROUP = 8;

interface ScopedEntry extends Entry {
  scope: Scope;
}

const FIXED: readonly ScopedEntry[] = [
  { group: 'Actions', name: 'New integration', href: '/integrations/new', scope: 'webhooks:write' },
  { group: 'Actions', name: 'Import integrations', href: '/integrations/import', scope: 'webhooks:write' },
  { group: 'Actions', name: 'Upload CSV', href: '/identities/upload', scope: 'developer_records:write' },
  { group: 'Pages', name: 'Incomplete alerts', href: '/alerts?state=incomplete', scope: 'alerts:read' },
  { group: 'Pages', name: 'Failed events', href: '/events?state=failed', scope: 'alerts:read' },
  { group: 'Pages', name: 'Feeds', href: '/identities/feeds', scope: 'developer_records:read' },
  { group: 'Pages', name: 'Coverage', href: '/identities/coverage', scope: 'developer_records:read' },
  { group: 'Pages', name: 'Worklist', href: '/identities/worklist', scope: 'developer_records:read' },
];

interface Known {
  scopes: readonly Scope[];
  integrations: readonly { id: string; name: string }[];
}

/** Returns everything that a key with these scopes can open by its name. */
export const entriesFor = ({ scopes, integrations }: Known): Entry[] => [
  ...pagesFor(scopes).map(
    ({ name, path, key }): Entry => ({ group: 'Pages', name, href: path, note: `g ${key}` }),
  ),
  ...FIXED.filter(({ scope }) => scopes.includes(scope)).map(({ scope: _, ...entry }) => entry),
  ...integrations.map(
    ({ id, name }): Entry => ({ group: 'Integrations', name, href: `/integrations/${id}` }),
  ),
];

const GROUPS: readonly Entry['group'][] = ['By ID', 'Pages', 'Actions', 'Integrations', 'Search'];

/** Returns the entries whose names contain every word of a text, by group. Names that begin with the text come first. */
export function findEntries(entries: readonly Entry[], text: string): Entry[] {
  const search = text.trim().toLowerCase();
  const words = search.split(/\s+/);
  const startsLate = ({ name }: Entry) => Number(!name.toLowerCase().startsWith(search));
  const found = entries
    .filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
    .sort((a, b) => startsLate(a) - startsLate(b));
  return GROUPS.flatMap((group) => found.filter((entry) => entry.group === group).slice(0, MAX_OF_GROUP));
}

/** Returns the searches that a text can start on other pages. */
export function searchesFor(text: string, scopes: readonly Scope[]): Entry[] {
  const search = text.trim();
  if (search === '') return [];
  const alerts = new URLSearchParams({ search, status: 'all' });
  const accounts = new URLSearchParams({ searchKey: 'identity', searchValue: search });
  const searches: ScopedEntry[] = [
    { group: 'Search', name: `Alerts with “${search}”`, href: `/alerts?${alerts}`, scope: 'alerts:read' },
    {
      group: 'Search',
      name: `Identities with “${search}”`,
      href: `/identities?${accounts}`,
      scope: 'developer_records:read',
    },
  ];
  return searches.filter(({ scope }) => scopes.includes(scope)).map(({ scope: _, ...entry }) => entry);
}
