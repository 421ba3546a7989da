import type { Scope } from '../http/types.ts';

/** What each scope allows, in display order. */
export const SCOPES: readonly { scope: Scope; allows: string }[] = [
  { scope: 'developer_records:read', allows: 'Search and export identities, view their jobs.' },
  { scope: 'developer_records:write', allows: 'Upload, change and remove identities, stop and retry jobs.' },
  { scope: 'webhooks:read', allows: 'View integrations and their mappings, with masked URLs.' },
  {
    scope: 'webhooks:write',
    allows: 'Create and change integrations and mappings, view URLs, remap events.',
  },
  {
    scope: 'webhooks:write:all',
    allows: 'With webhooks:write: change and delete templates that other keys saved.',
  },
  { scope: 'alerts:read', allows: 'View alerts and events with their payloads, and the Health page.' },
  { scope: 'admin', allows: 'Create and revoke API keys, view health and queues.' },
];
