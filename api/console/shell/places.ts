import type { Scope } from '../http/types.ts';

interface Place {
  path: string;
  name: string;
  /** Any of these opens it. */
  scopes: readonly Scope[];
}

const PLACES: readonly Place[] = [
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

/** Where a key with these scopes may go, in the order they are shown. */
export const placesFor = (scopes: readonly Scope[]): Place[] =>
  PLACES.filter((place) => place.scopes.some((scope) => scopes.includes(scope)));
