import type { Scope } from '../http/types.ts';

/** What each scope opens, in the order in which they are shown. */
export const SCOPES: readonly { scope: Scope; opens: string }[] = [
  { scope: 'developer_records:read', opens: 'Search and export identities, see their jobs.' },
  { scope: 'developer_records:write', opens: 'Upload, change and remove identities, stop and retry jobs.' },
  { scope: 'webhooks:read', opens: 'See integrations and their mappings, with the URLs masked.' },
  { scope: 'webhooks:write', opens: 'Make and change integrations and mappings, see URLs, remap events.' },
  { scope: 'alerts:read', opens: 'See alerts and events with their payloads, and the health page.' },
  { scope: 'admin', opens: 'Make and revoke API keys; health and queues.' },
];
