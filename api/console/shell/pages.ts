import type { Scope } from '../http/types.ts';

interface Page {
  path: string;
  name: string;
  /** Any one of these is enough. */
  scopes: readonly Scope[];
}

const PAGES: readonly Page[] = [
  { path: '/integrations', name: 'Integrations', scopes: ['webhooks:read', 'webhooks:write'] },
  { path: '/alerts', name: 'Alerts', scopes: ['alerts:read'] },
  { path: '/events', name: 'Events', scopes: ['alerts:read'] },
  { path: '/identities', name: 'Identities', scopes: ['developer_records:read'] },
  {
    path: '/jobs',
    name: 'Jobs',
    scopes: ['developer_records:read', 'developer_records:write', 'alerts:read', 'webhooks:write'],
  },
  { path: '/keys', name: 'Keys', scopes: ['admin'] },
  { path: '/health', name: 'Health', scopes: ['admin', 'alerts:read'] },
];

/** Returns the pages that a key with these scopes may open, in display order. */
export const pagesFor = (scopes: readonly Scope[]): Page[] =>
  PAGES.filter((page) => page.scopes.some((scope) => scopes.includes(scope)));
