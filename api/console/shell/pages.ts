import type { Scope } from '../http/types.ts';

export interface Page {
  path: string;
  name: string;
  /** The key that opens the page after `g`. */
  key: string;
  /** Any one of these is enough. */
  scopes: readonly Scope[];
}

const PAGES: readonly Page[] = [
  { path: '/integrations', name: 'Integrations', key: 'i', scopes: ['webhooks:read', 'webhooks:write'] },
  { path: '/alerts', name: 'Alerts', key: 'a', scopes: ['alerts:read'] },
  { path: '/events', name: 'Events', key: 'e', scopes: ['alerts:read'] },
  {
    path: '/destinations',
    name: 'Destinations',
    key: 't',
    scopes: ['destinations:read', 'destinations:write'],
  },
  { path: '/identities', name: 'Identities', key: 'd', scopes: ['developer_records:read'] },
  { path: '/tables', name: 'Tables', key: 'l', scopes: ['tables:read', 'tables:write'] },
  {
    path: '/jobs',
    name: 'Jobs',
    key: 'j',
    scopes: [
      'developer_records:read',
      'developer_records:write',
      'alerts:read',
      'webhooks:write',
      'tables:read',
      'tables:write',
    ],
  },
  { path: '/audit', name: 'Audit log', key: 'u', scopes: ['audit:read'] },
  { path: '/keys', name: 'Keys', key: 'k', scopes: ['admin'] },
  { path: '/health', name: 'Health', key: 'h', scopes: ['admin', 'alerts:read'] },
];

/** Returns the pages that a key with these scopes may open, in display order. */
export const pagesFor = (scopes: readonly Scope[]): Page[] =>
  PAGES.filter((page) => page.scopes.some((scope) => scopes.includes(scope)));
